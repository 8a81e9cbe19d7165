import { createReadStream, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { InputError, RateLimitError } from '../../../src/index.ts';
import { createFolderForTest } from '../../support/cleanup.ts';
import { failureOf } from '../../support/failure-of.ts';
import { jsonOf, KEY, startUploadService } from '../../support/upload-service.ts';

const bytes = Buffer.from('%PDF-1.7 '.repeat(60_000));

function file(content: Uint8Array | string = bytes, name = 'Prés: "Q3" 💼.pdf'): string {
  const path = join(createFolderForTest('docshare-test-'), name);
  writeFileSync(path, content);
  return path;
}

test('a direct upload sends every signed header and the exact length, but not the API key', async () => {
  const { client, log, lines } = await startUploadService();
  expect(await client.upload({ path: file() }, { via: 'direct', name: 'Prés.pdf' })).toEqual({
    id: 'doc_direct',
    name: 'Prés.pdf',
    sizeBytes: bytes.byteLength,
    via: 'direct',
    document: { id: 'doc_direct' },
  });
  expect(lines()).toEqual([
    'POST /api/v1/documents/uploads',
    'PUT /storage/1',
    'POST /api/v1/documents/uploads/finalize',
  ]);
  const [start, put, finalize] = log;
  expect(jsonOf(start)).toEqual({ fileName: 'Prés.pdf', contentType: 'application/pdf', size: bytes.byteLength });
  expect(put?.headers).toMatchObject({
    'content-type': 'application/pdf',
    'x-amz-server-side-encryption': 'AES256',
    'content-length': String(bytes.byteLength),
  });
  expect(put?.headers).not.toHaveProperty('transfer-encoding');
  expect(JSON.stringify(put?.headers)).not.toContain(KEY);
  expect(put?.body.equals(bytes)).toBe(true);
  expect(jsonOf(finalize)).toEqual({ storageKey: 'uploads/file-1', token: 'upload-token-1' });
  expect(finalize?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test('a multipart upload is a form that any parser reads', async () => {
  const { client, log, lines } = await startUploadService();
  const result = await client.upload({ path: file() }, { name: 'Prés: "Q3" 💼.pdf', type: 'application/pdf' });
  expect(result).toMatchObject({ id: 'doc_multipart', via: 'multipart', sizeBytes: bytes.byteLength });
  expect(lines()).toEqual(['POST /api/v1/documents']);
  const headers = { 'content-type': String(log[0]?.headers['content-type']) };
  expect(Number(log[0]?.headers['content-length'])).toBe(log[0]?.body.byteLength);
  const form = await new Response(new Uint8Array(log[0]?.body ?? []), { headers }).formData();
  const sent = form.get('file') as File;
  expect(form.get('name')).toBe('Prés: "Q3" 💼.pdf');
  expect(sent.name.replaceAll('%22', '"')).toBe('Prés: "Q3" 💼.pdf');
  expect(sent.type).toBe('application/pdf');
  expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true);
});

test('auto uses multipart up to 4 MiB, and direct above and for every new version', async () => {
  const { client } = await startUploadService();
  const limit = 4 * 1024 * 1024;
  expect((await client.upload(Buffer.alloc(limit))).via).toBe('multipart');
  expect((await client.upload(Buffer.alloc(limit + 1))).via).toBe('direct');
  expect(await client.upload(Buffer.alloc(9), { documentId: 'doc_7' })).toMatchObject({ via: 'direct', id: 'doc_7' });
  await expect(client.upload(bytes, { documentId: 'doc_7', via: 'multipart' })).rejects.toThrow(InputError);
});

test('a stream that starts in the middle of a file is sent as it is, not by its path', async () => {
  const { client, log } = await startUploadService();
  await client.upload(createReadStream(file('0123456789', 'a.txt'), { start: 4 }), { via: 'direct' });
  expect(log[1]?.body.toString()).toBe('456789');
});

test('progress increases to the total with both methods', async () => {
  const { client } = await startUploadService();
  for (const via of ['direct', 'multipart'] as const) {
    const seen: number[] = [];
    await client.upload(
      { path: file() },
      { via, onProgress: ({ sentBytes, totalBytes }) => seen.push(sentBytes / totalBytes) },
    );
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  }
});

test('the accepted start body of a service is found once and remembered', async () => {
  let asked = 0;
  const service = await startUploadService({
    'POST /api/v1/documents/uploads': (seen, response) => {
      asked += 1;
      const { file_size: size } = jsonOf(seen) as { file_size?: number };
      return size === undefined ? response.writeHead(422).end('file_size is missing') : service.session();
    },
  });
  await service.client.upload(bytes, { via: 'direct' });
  const first = asked;
  await service.client.upload(bytes, { via: 'direct' });
  expect([first > 1, asked - first]).toEqual([true, 1]);
});

test('the title of a document and the name of its file are separate', async () => {
  const service = await startUploadService();
  const path = file('PK', 'board-2026.docx');
  await service.client.upload(path, { name: 'Board minutes' });
  await service.client.upload(path, { name: 'Board minutes', via: 'direct' });
  await service.client.upload(new Uint8Array(9), { name: 'Numbers', type: 'text/csv' });
  const sent = service.log.map(({ body }) => body.toString());
  expect(sent[0]).toMatch(/name="name"\r\n\r\nBoard minutes\r\n[\s\S]*filename="board-2026.docx"/);
  expect(sent[1]).toContain('"fileName":"Board minutes.docx"');
  expect(sent.at(-1)).toContain('filename="Numbers.csv"');
});

const CREATE = 'POST /api/v1/documents';
const LIST = 'GET /api/v1/links';
const refusedFor = (seconds: number) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(429, { 'retry-after': String(seconds) }).end();

test('a pause of more than five minutes rejects an upload at once, whichever call received it', async () => {
  const { client, lines } = await startUploadService({ [CREATE]: refusedFor(301) });
  const first = await failureOf(client.upload(bytes));
  expect(first).toBeInstanceOf(RateLimitError);
  expect(first).toMatchObject({ retryAfterMs: 301_000 });
  expect(await failureOf(client.upload(bytes))).toBeInstanceOf(RateLimitError);
  expect(lines()).toEqual([CREATE]);

  const other = await startUploadService({ [LIST]: refusedFor(301) });
  await failureOf(other.client.links.list());
  expect(String(await failureOf(other.client.upload(bytes)))).toMatch(/not sent, because .* a pause \(429\)/);
  expect(other.lines()).toEqual([LIST]);
});

test.each([
  ["the client's", { deadlineMs: 60_000 }, {}],
  ["the upload's", {}, { deadlineMs: 60_000 }],
])('a pause beyond %s deadline rejects an upload at once', async (_, ofClient, ofUpload) => {
  const { client, lines } = await startUploadService({ [CREATE]: refusedFor(61) }, ofClient);
  expect(await failureOf(client.upload(bytes, ofUpload))).toMatchObject({ retryAfterMs: 61_000 });
  expect(lines()).toEqual([CREATE]);
});

test('an upload has no other deadline, because its bytes may take long', async () => {
  const { client } = await startUploadService({ [LIST]: () => ({ data: [] }) });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const minutes = () => timers.mock.calls.map(([, ms]) => Math.round(Number(ms) / 60_000));
  const abort = new AbortController();
  await client.links.list({}, { signal: abort.signal });
  expect(minutes()).toContain(5);
  timers.mockClear();
  await client.upload(bytes, { signal: abort.signal });
  expect(minutes()).not.toContain(5);
});

const content = Buffer.alloc(100_000, 'x');

test.each([307, 308])('a PUT follows a %i with its content and signed headers', async (status) => {
  const { client, log } = await startUploadService({
    'PUT /storage': ({ line }, response) =>
      response.writeHead(line.endsWith('/1') ? status : 200, { location: '/storage/9?signature=next' }).end(),
  });
  await client.upload(content, { via: 'direct' });
  const put = log.find(({ line }) => line === 'PUT /storage/9');
  expect(put?.body.equals(content)).toBe(true);
  expect(put?.headers).toMatchObject({ 'x-amz-server-side-encryption': 'AES256', 'content-length': '100000' });
  expect(put?.headers).not.toHaveProperty('authorization');
});

test('an upload URL on another host gets the content but never the key', async () => {
  const storage = await startUploadService();
  const { client } = await startUploadService({ 'POST /api/v1/documents/uploads': () => storage.session() });
  await client.upload(content, { via: 'direct' });
  expect(storage.log.map(({ line }) => line)).toEqual(['PUT /storage/1']);
  expect(storage.log[0]?.headers).not.toHaveProperty('authorization');
});
