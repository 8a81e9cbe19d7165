import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchFile } from '../../mcp/files/fetch-file.ts';
import { parsePublicUrl } from '../../mcp/files/public-address.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { isPublicAddress } from '../../src/public-address.ts';
import { type Host, type Json, openHost } from '../support/mcp-host.ts';
import { texts } from './texts.ts';

const root = mkdtempSync(join(tmpdir(), 'docshare-files-'));
const inside = join(root, 'allowed');
const outside = join(root, 'elsewhere');
const bytes = Buffer.from('%PDF-1.4 the deck');
const sha256 = createHash('sha256').update(bytes).digest('hex');
let sandbox: Sandbox;
let host: Host;

beforeAll(async () => {
  mkdirSync(join(inside, 'sub'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(inside, 'deck.pdf'), bytes);
  writeFileSync(join(inside, 'sub', 'deep.pdf'), bytes);
  writeFileSync(join(inside, 'empty.pdf'), '');
  writeFileSync(join(inside, 'login.pdf'), '<!DOCTYPE html><title>Sign in</title>');
  writeFileSync(join(outside, 'secret.pdf'), bytes);
  mkdirSync(join(inside, '.ssh'));
  writeFileSync(join(inside, '.ssh', 'id'), 'key');
  writeFileSync(join(inside, '.env'), 'KEY=1');
  symlinkSync(join(outside, 'secret.pdf'), join(inside, 'leads-out.pdf'));
  symlinkSync(outside, join(inside, 'folder-out'));
  symlinkSync(join(inside, 'deck.pdf'), join(inside, 'leads-in.pdf'));
  sandbox = await createSandbox({ data: 'empty' });
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
  host = await openHost({ env, args: ['--files', inside, '--confirm', 'off'] });
});
beforeEach(() => sandbox.log.clear());
afterAll(async () => {
  await host.close();
  await sandbox.close();
  rmSync(root, { recursive: true, force: true });
});

const upload = (args: Json) => host.call('upload_document', args);

describe('a path inside the allowed folder', () => {
  test.each(['deck.pdf', 'sub/deep.pdf', './sub/../deck.pdf', 'leads-in.pdf', join(inside, 'deck.pdf')])(
    '%s',
    async (path) => {
      const { data, text } = await upload({ path });
      expect(data, text).toMatchObject({ done: true, id: expect.any(String), size_bytes: bytes.length, sha256 });
    },
  );
});

describe('a path that is refused, before anything is sent', () => {
  test.each([
    ['../elsewhere/secret.pdf', 'path_not_allowed', /outside the allowed folders/],
    [join(outside, 'secret.pdf'), 'path_not_allowed', /--files DIR/],
    ['/etc/passwd', 'path_not_allowed', /outside/],
    ['/no/such/file', 'path_not_allowed', /outside/],
    ['leads-out.pdf', 'path_not_allowed', /outside/],
    ['folder-out/secret.pdf', 'path_not_allowed', /outside/],
    ['/dev/zero', 'path_not_allowed', /outside/],
    ['none.pdf', 'no_file', /not found: none\.pdf/],
    ['sub', 'no_file', /is a folder/],
    ['empty.pdf', 'no_file', /is empty/],
    ['login.pdf', 'wrong_type', /is a web page/],
    ['a\0b', 'path_not_allowed', /zero byte/],
    ['.env', 'path_not_allowed', /is hidden/],
    ['.ssh/id', 'path_not_allowed', /is hidden/],
  ])('%j', async (path, code, sentence) => {
    const { error } = await upload({ path });
    expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) });
    expect(sandbox.log.entries()).toEqual([]);
  });

  test('a device, where devices are allowed', async () => {
    const other = await openHost({
      env: { DOCSHARE_API_KEY: 'k', DOCSHARE_BASE_URL: sandbox.url },
      args: ['--files', '/dev'],
    });
    const { error } = await other.call('upload_document', { path: 'zero' });
    await other.close();
    expect(error).toMatchObject({ code: 'no_file', message: expect.stringContaining(texts.notARegularFile) });
  });
});

test('none or two sources, or content that is no base64, is refused', async () => {
  for (const args of [{}, { path: 'deck.pdf', content: 'AAAA' }, { content: 'not base64!' }])
    expect((await upload(args)).error).toMatchObject({ code: 'invalid_arguments' });
  const { error } = await upload({ content: Buffer.alloc(4_300_000).toString('base64') });
  expect(error, host.stderr()).toMatchObject({ code: 'too_large' });
  expect(sandbox.log.entries()).toEqual([]);
});

test('content of any size is judged, also where the engine translates its patterns badly', async () => {
  const source = new URL('../../mcp/files/upload-source.ts', import.meta.url).href;
  const program = `
    const { openUploadSource } = await import('${source}');
    for (const content of ['A'.repeat(7_999_999), '\\n'.repeat(8_000_000), 'AAAA\\nAA=='])
      await openUploadSource({ content }, { files: {} }).then(({ name }) => console.log(name), ({ code }) => console.log(code));`;
  // As an engine does that has made much code for patterns.
  const flags = ['--no-regexp-optimization', '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  expect(stdout.trim().split('\n')).toEqual(['too_large', 'invalid_arguments', 'document']);
});

test('base64 content goes up with its name and checksum, as a new version too', async () => {
  const { data } = await upload({ content: bytes.toString('base64'), name: 'Deck.pdf' });
  expect(data).toMatchObject({ name: 'Deck.pdf', sha256, via: 'multipart' });
  const { data: version } = await upload({
    content: bytes.toString('base64'),
    name: 'Deck.pdf',
    document_id: data['id'],
  });
  expect(version).toMatchObject({ id: data['id'], new_version_of: data['id'], via: 'direct' });
});

test('a file that grows while it is read is not registered', async () => {
  const path = join(inside, 'growing.pdf');
  writeFileSync(path, '%PDF-1.4');
  truncateSync(path, 64_000_008);
  const timer = setInterval(() => appendFileSync(path, 'more'), 5);
  const { error, text } = await upload({ path: 'growing.pdf' }).finally(() => clearInterval(timer));
  rmSync(path);
  expect(error, text).toMatchObject({
    code: 'file_changed',
    message: expect.stringContaining(texts.changedWhileItWasRead),
  });
  expect(
    sandbox.log.entries().filter(({ operation, status }) => operation === 'documents.finalizeUpload' && status < 300),
  ).toEqual([]);
});

test('an upload tells its bytes, and a cancel ends it within 100 ms and registers nothing', async () => {
  const path = join(inside, 'huge.pdf');
  writeFileSync(path, '');
  truncateSync(path, 300_000_000);
  const seen: number[] = [];
  const abort = new AbortController();
  const call = host.call(
    'upload_document',
    { path: 'huge.pdf' },
    {
      signal: abort.signal,
      timeout: 60_000,
      onprogress: ({ progress, total }) => {
        seen.push(Number(progress));
        expect(total).toBe(300_000_000);
        abort.abort();
      },
    },
  );
  await expect(call).rejects.toThrow();
  await expect.poll(() => sandbox.log.entries().some(({ method }) => method === 'PUT'), { timeout: 5000 }).toBe(true);
  expect(seen.length).toBeGreaterThan(0);
  const { data } = await host.call('list_documents', { query: { limit: 100 } });
  expect(JSON.stringify(data)).not.toContain('huge.pdf');
  expect(sandbox.log.entries().some(({ operation }) => operation === 'documents.finalizeUpload')).toBe(false);
  rmSync(path);
});

describe('download_agreement', () => {
  let id: string;
  beforeAll(async () => {
    const pdf = await PDFDocument.create();
    pdf.addPage();
    writeFileSync(join(inside, 'real.pdf'), await pdf.save());
    const { data } = await upload({ path: 'real.pdf' });
    const recipients = [{ name: 'Sam', email: 'sam@example.com' }];
    const fields = { name: 'NDA', document_id: data['id'], recipients };
    id = String((await host.call('create_agreement', { fields })).data['id']);
    await host.call('send_agreement', { id });
    await sandbox.sign(id, { email: 'sam@example.com', name: 'Sam' });
  });

  test('gives a short-lived address, or saves the whole file with its checksum', async () => {
    const { data } = await host.call('download_agreement', { id });
    expect(data['url']).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const { data: saved, text } = await host.call('download_agreement', { id, path: 'signed.pdf' });
    const file = readFileSync(join(inside, 'signed.pdf'));
    expect(saved, text).toMatchObject({
      path: join(inside, 'signed.pdf'),
      size_bytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(text).not.toContain('X-Amz-Signature');
    expect(readdirSync(inside).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test.each([
    ['deck.pdf', 'file_exists'],
    ['../elsewhere/new.pdf', 'path_not_allowed'],
    ['folder-out/new.pdf', 'path_not_allowed'],
    ['/tmp/new.pdf', 'path_not_allowed'],
    ['none/new.pdf', 'no_folder'],
    ['.npmrc', 'path_not_allowed'],
    ['.hidden.pdf', 'path_not_allowed'],
    ['.ssh/new.pdf', 'path_not_allowed'],
    ['AGENTS.md', 'path_not_allowed'],
    ['CLAUDE.md', 'path_not_allowed'],
    ['run.sh', 'path_not_allowed'],
    ['run.command', 'path_not_allowed'],
    ['package.json', 'path_not_allowed'],
    ['Makefile', 'path_not_allowed'],
    ['x.pdf.bat', 'path_not_allowed'],
  ])('does not write to %s', async (path, code) => {
    expect((await host.call('download_agreement', { id, path })).error).toMatchObject({ code });
    expect(readFileSync(join(inside, 'deck.pdf'))).toEqual(bytes);
    expect(existsSync(join(outside, 'new.pdf'))).toBe(false);
  });
});

describe('only public addresses are fetched', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'ff02::1',
    '[::1]',
    'fe80::1%eth0',
    'localhost',
  ])('%s is closed', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is open', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    'http://127.0.0.1/x',
    'http://2130706433/x',
    'http://0x7f.1/x',
    'http://[::ffff:7f00:1]/x',
    'http://localhost:9/x',
    'file:///etc/passwd',
    'ftp://example.com/x',
    'https://user:pw@example.com/x',
    'nonsense',
  ])('%s is refused by the tool', async (url) => {
    expect((await upload({ url })).error).toMatchObject({ code: 'url_not_allowed' });
    expect(sandbox.log.entries()).toEqual([]);
  });

  test('IPv4 in disguise is seen as what it is', () => {
    expect(() => parsePublicUrl('http://017700000001/')).toThrow(/public/);
    expect(parsePublicUrl('https://example.com/a.pdf').hostname).toBe('example.com');
  });

  test('each hop of a redirect is checked, and an open one arrives whole', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://10.0.0.1/x' }).end();
      else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
      else if (request.url === '/gone') response.writeHead(404).end('no');
      else response.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // This test's own server stands for the public internet; everything else stays closed.
    const isOpen = (address: string) => address === '127.0.0.1' || isPublicAddress(address);
    const file = await fetchFile(`${base}/a/deck.pdf`, { isAllowed: isOpen });
    expect(file).toMatchObject({ name: 'deck.pdf', type: 'application/pdf' });
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.bytes) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(bytes);
    await file.close();
    await expect(fetchFile(`${base}/away`, { isAllowed: isOpen })).rejects.toThrow(texts.n10001);
    await expect(fetchFile(`${base}/round`, { isAllowed: isOpen })).rejects.toThrow(/redirects more than/);
    await expect(fetchFile(`${base}/gone`, { isAllowed: isOpen })).rejects.toThrow(/status 404/);
    server.close();
  });
});

test('a read-only server saves nothing, and one started in the root folder opens no file', async () => {
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
  const reader = await openHost({ env, args: ['--read-only', '--files', inside] });
  const { error } = await reader.call('download_agreement', { id: 'x', path: 'new.pdf' });
  const listed = (await reader.tools()).find(({ name }) => name === 'download_agreement');
  await reader.close();
  expect(error).toMatchObject({ code: 'invalid_arguments' });
  expect(Object.keys(listed?.inputSchema['properties'] ?? {})).toEqual(['id']);
  expect(listed?.annotations).toMatchObject({ readOnlyHint: true });
  const writer = (await host.tools()).find(({ name }) => name === 'download_agreement');
  expect(writer?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  const desktop = await openHost({ env, cwd: '/' });
  for (const path of ['etc/passwd', '/etc/passwd'])
    expect((await desktop.call('upload_document', { path })).error).toMatchObject({
      code: 'path_not_allowed',
      message: expect.stringContaining(texts.startServerFilesDir),
    });
  await desktop.close();
});
