import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, createFolderForFile } from '../../support/cleanup.ts';
import { type Json, openHost } from '../../support/mcp-host.ts';
import { texts } from '../texts.ts';

const MAX_CONTENT_BYTES = 4 * 1024 * 1024;
const folder = createFolderForFile('docshare-uploads-');
const bytes = Buffer.from('%PDF-1.4 the deck');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
const host = await closeAfterAll(openHost({ env, args: ['--files', folder, '--confirm', 'off'] }));
beforeEach(() => sandbox.log.clear());

const upload = (args: Json) => host.call('upload_document', args);
const registrations = () =>
  sandbox.log.entries().filter(({ operation, status }) => operation === 'documents.finalizeUpload' && status < 300);

test.each<[string, Json, string]>([
  ['no source', {}, 'invalid_arguments'],
  ['two sources', { path: 'deck.pdf', content: 'AAAA' }, 'invalid_arguments'],
  ['content that is not base64', { content: 'not base64!' }, 'invalid_arguments'],
  ['content of one byte too many', { content: Buffer.alloc(MAX_CONTENT_BYTES + 1).toString('base64') }, 'too_large'],
  ...['http://127.0.0.1/x', 'http://0x7f.1/x', 'http://localhost:9/x', 'file:///etc/passwd', 'nonsense'].map(
    (url): [string, Json, string] => [url, { url }, 'url_not_allowed'],
  ),
])('rejects %s', async (_, args, code) => {
  expect((await upload(args)).error).toMatchObject({ code });
  expect(sandbox.log.entries()).toEqual([]);
});

test('content of any size is validated, even if the engine does not optimize regular expressions', async () => {
  const source = new URL('../../../mcp/files/upload-source.ts', import.meta.url).href;
  const program = `
    const { openUploadSource } = await import('${source}');
    for (const content of ['A'.repeat(7_999_999), '\\n'.repeat(8_000_000), 'AAAA\\nAA=='])
      await openUploadSource({ content }, { files: {} }).then(({ name }) => console.log(name), ({ code }) => console.log(code));`;
  // An engine that has compiled many regular expressions does not optimize further ones.
  const flags = ['--no-regexp-optimization', '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  expect(stdout.trim().split('\n')).toEqual(['too_large', 'invalid_arguments', 'document']);
});

test('base64 content is uploaded with its name and checksum, also as a new version, up to the maximum size', async () => {
  const content = bytes.toString('base64');
  const { data } = await upload({ content, name: 'Deck.pdf' });
  expect(data).toMatchObject({ name: 'Deck.pdf', sha256, via: 'multipart' });
  const { data: version } = await upload({ content, name: 'Deck.pdf', document_id: data['id'] });
  expect(version).toMatchObject({ id: data['id'], new_version_of: data['id'], via: 'direct' });
  const largest = await upload({ content: Buffer.alloc(MAX_CONTENT_BYTES, 'a').toString('base64'), name: 'a.txt' });
  expect(largest.data).toMatchObject({ size_bytes: MAX_CONTENT_BYTES });
});

test.each([
  ['csv', 'text/csv'],
  ['odt', 'application/octet-stream'],
])('a title gets the ending and type of its %s file, also for a new version', async (ending, content_type) => {
  writeFileSync(join(folder, `plan.${ending}`), 'a,b');
  const named = { path: `plan.${ending}`, name: 'Plan v1.2' };
  const expected = { name: 'Plan v1.2', file_name: `Plan v1.2.${ending}`, content_type };
  const { data } = await upload(named);
  expect(data).toMatchObject(expected);
  expect((await upload({ ...named, document_id: data['id'] })).data).toMatchObject(expected);
});

test('a file that grows while it is read is not registered', async () => {
  const path = join(folder, 'growing.pdf');
  writeFileSync(path, '%PDF-1.4');
  truncateSync(path, 64_000_008);
  const timer = setInterval(() => appendFileSync(path, 'more'), 5);
  const { error, text } = await upload({ path: 'growing.pdf' }).finally(() => clearInterval(timer));
  rmSync(path);
  const message = expect.stringContaining(texts.fileChangedMeanwhile);
  expect(error, text).toMatchObject({ code: 'file_changed', message });
  expect(registrations()).toEqual([]);
});

test('an upload reports its progress, and after a cancel nothing is registered', async () => {
  const path = join(folder, 'huge.pdf');
  writeFileSync(path, '%PDF-');
  truncateSync(path, 300_000_000);
  const seen: number[] = [];
  const abort = new AbortController();
  const onprogress = ({ progress, total }: Json) => {
    seen.push(Number(progress));
    expect(total).toBe(300_000_000);
    abort.abort();
  };
  const call = host.call(
    'upload_document',
    { path: 'huge.pdf' },
    { signal: abort.signal, timeout: 60_000, onprogress },
  );
  await expect(call).rejects.toThrow();
  await expect.poll(() => sandbox.log.entries().some(({ method }) => method === 'PUT'), { timeout: 5000 }).toBe(true);
  expect(seen.length).toBeGreaterThan(0);
  const { data } = await host.call('list_documents', { query: { limit: 100 } });
  expect(JSON.stringify(data)).not.toContain('huge.pdf');
  expect(registrations()).toEqual([]);
  rmSync(path);
});
