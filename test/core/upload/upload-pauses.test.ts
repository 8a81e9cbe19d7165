import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { RateLimitError } from '../../../src/index.ts';
import { failureOf } from '../../support/failure-of.ts';
import { startUploadService } from '../../support/upload-service.ts';

const CREATE = 'POST /api/v1/documents';
const LIST = 'GET /api/v1/links';
const bytes = Buffer.alloc(1000, 'x');
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
