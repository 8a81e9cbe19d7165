/** Files fetched from a URL. 127.0.0.1 counts as public in these tests; all other private addresses stay blocked. */
import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { fetchFile } from '../../../mcp/files/fetch-file.ts';
import { createFileAccess, MAX_FILE_BYTES } from '../../../mcp/files/file-access.ts';
import { openUploadSource } from '../../../mcp/files/upload-source.ts';
import { listenForTest } from '../../support/listen.ts';
import { texts } from '../texts.ts';

const isAllowed = (address: string) => address === '127.0.0.1';
const serve = (answer: RequestListener) => listenForTest(createServer(answer));

/** Fetches a file and reads it to its end. */
async function read(url: string, options: Parameters<typeof fetchFile>[1] = {}) {
  const { bytes, close, ...known } = await fetchFile(url, { isAllowed, ...options });
  const parts: Uint8Array[] = [];
  try {
    for await (const part of bytes) parts.push(part);
  } finally {
    await close();
  }
  return { ...known, text: Buffer.concat(parts).toString() };
}

test.each<[string, string, Record<string, string>, object]>([
  ['the last part of its path, decoded', '/a/Q3%20deck.pdf', {}, { name: 'Q3 deck.pdf', type: '' }],
  ['a path that cannot be decoded', '/50%.pdf', {}, { name: '50%.pdf' }],
  ['its content-disposition', '/x', { 'content-disposition': 'attachment; filename="b.pdf"' }, { name: 'b.pdf' }],
  [
    'its content-disposition without folders',
    '/x',
    { 'content-disposition': 'attachment; filename="..\\\\..\\\\.npmrc/Q3 deck.pdf"' },
    { name: 'Q3 deck.pdf' },
  ],
  ['nothing', '/', {}, { name: 'document' }],
  ['a content type with parameters', '/a', { 'content-type': 'text/csv; charset=utf-8' }, { type: 'text/csv' }],
  ['a content length', '/a', { 'content-length': String(MAX_FILE_BYTES) }, { sizeBytes: MAX_FILE_BYTES }],
])('a file is described from %s', async (_, path, headers, known) => {
  const origin = await serve((_request, response) => void response.writeHead(200, headers).flushHeaders());
  const { close, ...described } = await fetchFile(origin + path, { isAllowed });
  await close();
  expect(described).toMatchObject(known);
});

test.each<[string, number, Record<string, string>, { code: string; message?: unknown }]>([
  ['not there', 404, {}, { code: 'url_failed', message: expect.stringContaining('status 404') }],
  ['redirected to an invalid URL', 302, { location: 'http://' }, { code: 'url_not_allowed' }],
  ['redirected without a location', 302, {}, { code: 'url_failed' }],
  [
    'redirected to a private address',
    302,
    { location: 'http://10.0.0.1/x' },
    { code: 'url_not_allowed', message: expect.stringContaining(texts.n10001) },
  ],
  ['one byte too long', 200, { 'content-length': String(MAX_FILE_BYTES + 1) }, { code: 'too_large' }],
])('a file that is %s is rejected', async (_, status, headers, expected) => {
  const origin = await serve((_request, response) => void response.writeHead(status, headers).flushHeaders());
  await expect(fetchFile(origin, { isAllowed })).rejects.toMatchObject(expected);
});

test('an unreachable URL is rejected with the reason', async () => {
  const message = expect.stringContaining('could not be reached (ECONNREFUSED)');
  await expect(read('http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'url_failed', message });
});

test('a redirect is followed even if the body of the redirect never ends', async () => {
  const origin = await serve(({ url }, response) => {
    if (url === '/b.pdf') response.writeHead(200).end('%PDF-1.4 ');
    else response.writeHead(302, { location: '/b.pdf' }).write('Moved to ');
  });
  // If the fetch waited instead, this would end it with another error.
  expect(await read(origin, { timeoutMs: 10_000 })).toMatchObject({ name: 'b.pdf', text: '%PDF-1.4 ' });
});

test('endless redirects end after six requests', async () => {
  let requestCount = 0;
  const origin = await serve((_, response) => {
    requestCount += 1;
    response.writeHead(302, { location: `/${requestCount}` }).end();
  });
  await expect(read(origin)).rejects.toMatchObject({ code: 'url_not_allowed' });
  expect(requestCount).toBe(6);
});

test('a silent or slow URL times out, and a cancelled fetch ends with its reason', async () => {
  await expect(read(await serve(() => undefined), { timeoutMs: 20 })).rejects.toThrow(/took too long/);
  const dripping = await serve((_request, response) => {
    response.writeHead(200).write('%PDF-');
    const drops = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drops));
  });
  await expect(read(dripping, { timeoutMs: 1000 })).rejects.toMatchObject({ code: 'url_failed' });
  const cancel = new AbortController();
  const reason = new Error('the caller has gone');
  await expect(read(await serve(() => cancel.abort(reason)), { signal: cancel.signal })).rejects.toBe(reason);
});

test.each([
  ['says nothing specific', 'application/octet-stream', undefined],
  ['is specific', 'text/csv', 'text/csv'],
])('an upload whose content type %s has the type %3$s', async (_, type, expected) => {
  const url = await serve((_request, response) => void response.writeHead(200, { 'content-type': type }).end('a,b'));
  const opened = await openUploadSource({ url, name: 'a.csv' }, { files: createFileAccess([]), isAllowed });
  await opened.close();
  expect(opened.type).toBe(expected);
});

test('an upload whose content does not match its name is rejected', async () => {
  const origin = await serve((_request, response) => void response.writeHead(200).end('<html>sign in</html>'));
  const from = { files: createFileAccess([]), isAllowed };
  await expect(openUploadSource({ url: `${origin}/a.pdf` }, from)).rejects.toMatchObject({ code: 'wrong_type' });
});

test.each([
  [{ fileName: 'passwords.xlsx', name: 'Deck.xlsx' }, 'deck.xlsx'],
  [{ fileId: 'file_1', name: 'Deck.xlsx' }, 'prod.env'],
  [{ fileId: 'file_1', fileName: '.env' }, 'a'],
])('a file from the chat with a name like a secret is rejected, whatever its title: %j', async (names, served) => {
  const headers = { 'content-disposition': `attachment; filename="${served}"` };
  const url = await serve((_request, response) => void response.writeHead(200, headers).end('a'));
  const from = { files: createFileAccess([]), isAllowed };
  await expect(openUploadSource({ url, ...names }, from)).rejects.toMatchObject({ code: 'file_not_allowed' });
});

test.each([
  ['small', 10, false, {}],
  ['large, of known length', 2_000_000, true, { sizeBytes: 2_000_000 }],
  ['large, of unknown length', 2_000_000, false, { code: 'no_length' }],
])('an upload that is %s does not use the disk', async (_, bytes, hasLength, expected) => {
  const url = await serve(
    (_request, response) =>
      void response.writeHead(200, hasLength ? { 'content-length': bytes } : {}).end(Buffer.alloc(bytes)),
  );
  const context = { files: createFileAccess([]), isAllowed, usesDisk: false };
  const outcome = await openUploadSource({ url: `${url}/a.bin` }, context).catch((error: unknown) => error);
  if (outcome instanceof Object && 'close' in outcome) await (outcome as { close(): Promise<void> }).close();
  expect(outcome).toMatchObject(expected);
});
