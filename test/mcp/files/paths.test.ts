import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../../support/cleanup.ts';
import { openHost } from '../../support/mcp-host.ts';

const root = createFolderForFile('docshare-paths-');
const at = (path: string) => join(root, path);
/** Titles use ROOT for the temporary folder, whose name changes with each run. */
const real = (path: string) => path.replace('ROOT', root);
const contentOf = (file: string) => `%PDF-1.4 ${file}`;
const hashOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

const FILES = [
  ...['allowed/pre\u0301sentation.pdf', 'allowed/pr\u00e9cis.pdf'],
  ...['allowed/deck.pdf', 'allowed/sub/deep.pdf', 'allowed/..dots/a.pdf', 'allowed/.env.pdf', 'allowed/.ssh/id.pdf'],
  ...[
    'allowed/sub/.git/a.pdf',
    'allowed-not/a.pdf',
    'second/only.pdf',
    'second/deck.pdf',
    'out.pdf',
    '.hidden/own/a.pdf',
  ],
];
const LINKS: Readonly<Record<string, string>> = {
  'allowed/leads-out.pdf': 'out.pdf',
  'allowed/folder-out': 'allowed-not',
  'allowed/leads-in.pdf': 'allowed/sub/deep.pdf',
  'leads-in.pdf': 'allowed/deck.pdf',
  'allowed/shown.pdf': 'allowed/.env.pdf',
  alias: 'allowed',
};

for (const file of FILES) {
  mkdirSync(dirname(at(file)), { recursive: true });
  writeFileSync(at(file), contentOf(file));
}
for (const [from, to] of Object.entries(LINKS)) symlinkSync(at(to), at(from));
writeFileSync(at('allowed/empty.pdf'), '');
writeFileSync(at('allowed/login.pdf'), '<!DOCTYPE html><title>Sign in</title>');
writeFileSync(at('allowed/larger.pdf'), '');
truncateSync(at('allowed/larger.pdf'), 1024 ** 3 + 1);
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
const openWith = (...folders: string[]) =>
  openHost({ env, args: ['--confirm', 'off', ...folders.flatMap((folder) => ['--files', at(folder)])] });
const host = await closeAfterAll(openWith('allowed', 'second'));
beforeEach(() => sandbox.log.clear());

describe('a file to read', () => {
  test.each<[path: string, file: string, folders?: readonly string[]]>([
    ['deck.pdf', 'allowed/deck.pdf'],
    ['sub/deep.pdf', 'allowed/sub/deep.pdf'],
    ['leads-in.pdf', 'allowed/sub/deep.pdf'],
    ['only.pdf', 'second/only.pdf'],
    ['ROOT/allowed/deck.pdf', 'allowed/deck.pdf'],
    // A hidden folder that is allowed explicitly is readable.
    ['a.pdf', '.hidden/own/a.pdf', ['.hidden/own']],
    ['ROOT/.hidden/own/a.pdf', '.hidden/own/a.pdf', ['', '.hidden/own']],
    // A linked folder in --files is allowed as its target.
    ['ROOT/allowed/deck.pdf', 'allowed/deck.pdf', ['alias']],
    // A path through links is read at its real location.
    ['ROOT/alias/deck.pdf', 'allowed/deck.pdf', ['alias']],
    ['ROOT/alias/deck.pdf', 'allowed/deck.pdf'],
    ['ROOT/leads-in.pdf', 'allowed/deck.pdf'],
    // macOS decomposes names: the accent is a separate character.
    ['pr\u00e9sentation.pdf', 'allowed/pre\u0301sentation.pdf'],
    ['ROOT/allowed/pre\u0301cis.pdf', 'allowed/pr\u00e9cis.pdf'],
  ])('%s resolves to %s', async (path, file, folders) => {
    const server = folders ? await openWith(...folders) : host;
    if (folders) onTestFinished(server.close);
    const { data, text } = await server.call('upload_document', { path: real(path) });
    const content = Buffer.from(contentOf(file));
    expect(data, text).toMatchObject({ done: true, size_bytes: content.length, sha256: hashOf(content) });
  });

  test('is found in an existing folder even if another allowed folder is gone', async () => {
    mkdirSync(at('gone'));
    const server = await closeAfterTest(openWith('gone', 'allowed'));
    rmSync(at('gone'), { recursive: true });
    expect((await server.call('upload_document', { path: 'deck.pdf' })).data).toMatchObject({ done: true });
  });

  test.each([
    ['../out.pdf', 'path_not_allowed', /outside the allowed folders \(\S+allowed, \S+second\)\. .*--files DIR/],
    ['ROOT/out.pdf', 'path_not_allowed', /outside/],
    // The error does not reveal whether such a file exists.
    ['ROOT/none.pdf', 'path_not_allowed', /outside/],
    ['ROOT/allowed-not/a.pdf', 'path_not_allowed', /outside/],
    ['/etc/passwd', 'path_not_allowed', /outside/],
    ['leads-out.pdf', 'path_not_allowed', /outside/],
    ['folder-out/a.pdf', 'path_not_allowed', /outside/],
    ['a\0b', 'path_not_allowed', /zero byte/],
    ['.env.pdf', 'path_not_allowed', /^\.env\.pdf is hidden/],
    ['.ssh/id.pdf', 'path_not_allowed', /is hidden/],
    ['sub/.git/a.pdf', 'path_not_allowed', /is hidden/],
    ['..dots/a.pdf', 'path_not_allowed', /is hidden/],
    ['shown.pdf', 'path_not_allowed', /^shown\.pdf is hidden/],
    ['none.pdf', 'no_file', /^File not found: none\.pdf\. Allowed folders: /],
    ['.', 'no_file', /is a folder/],
    ['empty.pdf', 'no_file', /is empty/],
    ['larger.pdf', 'too_large', /has 1073741825 bytes\. The limit is 1073741824 bytes/],
    ['login.pdf', 'wrong_type', /is a web page/],
  ])('%j is rejected before any request: %s', async (path, code, words) => {
    const { error } = await host.call('upload_document', { path: real(path) });
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(sandbox.log.entries()).toEqual([]);
  });

  test('is not a device, and a server that was started in the root folder reads no files', async () => {
    const devices = await openHost({ env, args: ['--files', '/dev'] });
    const { error } = await devices.call('upload_document', { path: 'zero' });
    await devices.close();
    expect(error).toMatchObject({ code: 'no_file', message: expect.stringContaining('not a regular file') });
    const desktop = await closeAfterTest(openHost({ env, cwd: '/' }));
    for (const path of ['etc/passwd', '/etc/passwd'])
      expect((await desktop.call('upload_document', { path })).error).toMatchObject({
        code: 'path_not_allowed',
        message: expect.stringMatching(/^No folders are allowed\. Start the server with --files DIR/),
      });
  });
});

describe('a file to write', () => {
  let id: string;
  beforeAll(async () => {
    const pdf = await PDFDocument.create();
    pdf.addPage();
    const content = Buffer.from(await pdf.save()).toString('base64');
    const { data } = await host.call('upload_document', { content, name: 'NDA.pdf' });
    const fields = { name: 'NDA', document_id: data['id'], recipients: [{ name: 'Sam', email: 'sam@example.com' }] };
    id = String((await host.call('create_agreement', { fields })).data['id']);
    await host.call('send_agreement', { id });
    await sandbox.sign(id, { email: 'sam@example.com', name: 'Sam' });
  });

  test.each([
    ['new.pdf', 'allowed/new.pdf'],
    ['sub/new.pdf', 'allowed/sub/new.pdf'],
    ['sub', /^allowed\/sub\/\w[^/]*\.pdf$/],
    ['made/for/new.pdf', 'allowed/made/for/new.pdf'],
    ['ROOT/second', /^second\/\w[^/]*\.pdf$/],
    ['ROOT/alias/linked.pdf', 'allowed/linked.pdf'],
  ])('at %j is saved as %s: whole, readable only by its owner, with checksum and without URL', async (path, file) => {
    const { data, text } = await host.call('download_agreement', { id, path: real(path) });
    const saved = String(data['path']);
    expect(saved.replace(`${root}/`, '')).toMatch(file);
    const bytes = readFileSync(saved);
    expect(data, text).toMatchObject({ size_bytes: bytes.length, sha256: hashOf(bytes) });
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(statSync(saved).mode & 0o777).toBe(0o600);
    expect(text).not.toContain('X-Amz-Signature');
    expect(readdirSync(dirname(saved)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('is replaced by a URL if no path is given', async () => {
    const { data } = await host.call('download_agreement', { id });
    expect(data['url']).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  test.each([
    ['deck.pdf', 'file_exists', /already exists/],
    ['../new.pdf', 'path_not_allowed', /outside/],
    ['ROOT/new.pdf', 'path_not_allowed', /outside/],
    ['folder-out/new.pdf', 'path_not_allowed', /outside/],
    ['a\0b', 'path_not_allowed', /zero byte/],
    ['deck.pdf/new.pdf', 'no_folder', /is not a folder/],
    // The error does not reveal whether such a folder exists.
    ['ROOT/none/new.pdf', 'path_not_allowed', /outside/],
    ['../none/', 'path_not_allowed', /outside/],
    ...['.npmrc', '.new.pdf', '.ssh/new.pdf', 'sub/.git/hook.pdf'].map((path): [string, string, RegExp] => [
      path,
      'path_not_allowed',
      /is hidden/,
    ]),
    // Only documents are saved: no programs, and no instructions that an assistant would follow.
    ...['CLAUDE.md:x.pdf', 'NUL.pdf', 'com1 .pdf', 'new.pdf.'].map((path): [string, string, RegExp] => [
      path,
      'path_not_allowed',
      /not valid on every system/,
    ]),
    ...['AGENTS.md', 'CLAUDE.md', 'run.sh', 'run.command', 'package.json', 'x.pdf.bat'].map(
      (path): [string, string, RegExp] => [path, 'path_not_allowed', /Use a path that ends in/],
    ),
  ])('at %j is rejected: %s', async (path, code, words) => {
    const { error } = await host.call('download_agreement', { id, path: real(path) });
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    // The file is not requested.
    if (code !== 'file_exists') expect(sandbox.log.entries()).toEqual([]);
    expect(readFileSync(at('allowed/deck.pdf'), 'utf8')).toBe(contentOf('allowed/deck.pdf'));
    expect(existsSync(at('allowed-not/new.pdf'))).toBe(false);
  });

  test('cannot be saved by a read-only server, whose tool has no path argument', async () => {
    const reader = await openHost({ env, args: ['--read-only', '--files', at('allowed')] });
    const { error } = await reader.call('download_agreement', { id, path: 'another.pdf' });
    const listed = (await reader.tools()).find(({ name }) => name === 'download_agreement');
    await reader.close();
    expect(error).toMatchObject({ code: 'invalid_arguments' });
    expect(Object.keys(listed?.inputSchema['properties'] ?? {})).toEqual(['id']);
    expect(listed?.annotations).toMatchObject({ readOnlyHint: true });
    const writer = (await host.tools()).find(({ name }) => name === 'download_agreement');
    expect(writer?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  });
});
