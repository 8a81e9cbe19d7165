/** Tests by name which files may leave the machine, on a running server, and counts the uploads at the service. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, createFolderForFile } from '../../support/cleanup.ts';
import { type Host, openHost } from '../../support/mcp-host.ts';

const SECRETS = [
  'secrets.yaml',
  'prod.env',
  'service-account.json',
  'id_rsa',
  'terraform.tfstate',
  'wallet.dat',
  'cookies.sqlite',
  'dump.sql',
  'server.key',
  'tls.pem.txt',
  'tls.pem .txt',
  'prod.env.txt',
  'id_rsa.pdf',
  'Passwords 2026.docx',
  'secrets - Copy.docx',
  'API keys v2 (final).pdf',
  'team passwords.xlsx',
  'serviceAccountKey.json',
  'recovery-codes.txt',
  'se\u200bcrets.csv',
  '\uff53ecrets.csv',
  'client_secret_1.json',
  'docker-compose.yml',
  'userSettings.json',
  'secrets/plan.pdf',
  'KeePass export.csv',
  '1Password Emergency Kit A3.pdf',
  '1Password Emergency Kit A3-ABCDEF-my.pdf',
  'BitLocker Recovery Key 3A5B1C2D-1234-ABCD.TXT',
  'Passwortliste.xlsx',
  'Zugangsdaten.docx',
  'Password list.docx',
];
const DOCUMENTS = [
  'Password policy.docx',
  'Password policy - Copy.docx',
  '2024.docx',
  'Trade secrets agreement.docx',
  'Q3 key results.pptx',
  'notes.md',
  'plan.csv',
  'Room settings.docx',
  'Price list.docx',
];
const OTHER_FILES = ['page.html', 'data.json', 'all.zip'];
const folder = createFolderForFile('docshare-secret-files-');
const files = [...SECRETS, ...DOCUMENTS, ...OTHER_FILES, 'run.sh', 'Makefile'];
for (const name of files) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), 'hello');
}
writeFileSync(join(folder, '.env'), 'KEY=1');
symlinkSync(join(folder, 'secrets.yaml'), join(folder, 'deck.pdf'));
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
beforeEach(() => sandbox.log.clear());

/** Expects every tool that uploads a path to reject these files. */
async function expectRefused(host: Host, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    for (const tool of ['upload_document', 'share_document']) {
      const { error, text } = await host.call(tool, { path });
      expect(error, `${tool} ${path}: ${text}`).toMatchObject({ code: 'file_not_allowed' });
    }
  expect(sandbox.log.entries()).toEqual([]);
}

async function expectUploaded(host: Host, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { data, text } = await host.call('upload_document', { path });
    expect(data, `${path}: ${text}`).toMatchObject({ done: true, id: expect.any(String) });
  }
}

describe.each([
  ['the working folder', { cwd: folder, args: [] }, { refused: OTHER_FILES, uploaded: [] }],
  ['a folder of --files', { args: ['--files', folder] }, { refused: [], uploaded: OTHER_FILES }],
] as const)('%s', (_, options, { refused, uploaded }) => {
  let host: Host;
  beforeAll(async () => {
    host = await openHost({ ...options, env, args: [...options.args, '--confirm', 'off'] });
    return host.close;
  });

  test('does not upload a file whose name, real name or folder looks like a secret', () =>
    expectRefused(host, [...SECRETS, 'deck.pdf']));
  test('uploads only known file types', () => expectRefused(host, [...refused, 'run.sh', 'Makefile']));
  test('uploads documents, even with "secret" in their name', () => expectUploaded(host, [...DOCUMENTS, ...uploaded]));
  test('does not upload a secret file as a new version', async () => {
    const { data } = await host.call('upload_document', { path: 'plan.csv' });
    sandbox.log.clear();
    const { error } = await host.call('upload_document', { path: 'secrets.yaml', document_id: data['id'] });
    expect(error).toMatchObject({ code: 'file_not_allowed' });
    expect(sandbox.log.entries().filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('--any-file uploads every file except hidden ones, and requires --files', async () => {
  const host = await openHost({ env, args: ['--files', folder, '--any-file', '--confirm', 'off'] });
  await expectUploaded(host, ['secrets.yaml', 'id_rsa', 'run.sh', 'deck.pdf']);
  expect((await host.call('upload_document', { path: '.env' })).error).toMatchObject({ code: 'path_not_allowed' });
  await host.close();
  await expect(openHost({ env, args: ['--any-file'] })).rejects.toThrow(/--files/);
});
