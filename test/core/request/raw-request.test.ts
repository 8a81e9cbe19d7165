import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createClient, InputError, TimeoutError, UnknownOutcomeError } from '../../../src/index.ts';
import { openClientOf } from '../../support/listen.ts';
import { createReplyingClient, type Reply } from '../../support/replying-client.ts';
import { untyped } from '../../support/untyped.ts';
import { texts } from '../texts.ts';

const clientOf = (...replies: readonly Reply[]) => createReplyingClient([...replies, { body: {} }]);

test.each([
  '/..',
  '/links/../../../admin',
  '/%2e%2e/admin',
  '/../v1x/links',
  '//other.test/api/v1/links',
  '/\\other.test/links',
  'https://other.test/api/v1/links',
  'links',
  '/links#part',
])('the path %s is invalid or outside the base URL: nothing is sent', async (path) => {
  const { client, requests } = clientOf();
  await expect(client.request({ method: 'GET', path })).rejects.toThrow(InputError);
  expect(requests).toEqual([]);
});

test('a path below the base URL is sent as it was resolved', async () => {
  const { client, requests } = clientOf();
  await client.request({ method: 'GET', path: '/links/../rooms', query: { page: 2 } });
  expect(requests.map(({ url }) => url)).toEqual(['https://docshare.test/api/v1/rooms?page=2']);
});

test('a nested body is sent as it is', async () => {
  const { client, requests } = clientOf();
  await client.request({ method: 'POST', path: '/links', body: { a: { b: [{ c: 1, d: undefined }] }, e: null } });
  expect(requests[0]?.body).toBe('{"a":{"b":[{"c":1}]},"e":null}');
});

test('a write has succeeded even if its redirect cannot be read; a read has not', async () => {
  const moved = { status: 303, headers: { location: '/api/v1/jobs/1' }, body: {} };
  const broken = { status: 500, body: {} };
  const write = clientOf(moved, broken);
  expect(await write.client.request({ method: 'POST', path: '/links/1/copy', body: {} })).toMatchObject({
    status: 303,
    note: expect.stringContaining(texts.respondedWith303),
  });
  expect(write.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  const read = clientOf(moved, broken);
  await expect(read.client.request({ method: 'GET', path: '/links/1/copy' })).rejects.toMatchObject({ status: 500 });
});

test.each([
  ['GET', undefined],
  ['POST', texts.tooLarge],
] as const)('a response larger than 8 MiB is not returned as complete: %s', async (method, note) => {
  const { client } = clientOf({ body: JSON.stringify('x'.repeat(9 * 2 ** 20)) });
  const answer = client.request({ method, path: '/exports' });
  if (note === undefined) await expect(answer).rejects.toThrow(/status 200\) exceeds the maximum of 8 MiB/);
  else await expect(answer).resolves.toMatchObject({ status: 200, note });
});

test('at its end a read rejects with a TimeoutError, a write and an upload with an UnknownOutcomeError', async () => {
  const server = createServer((request) => void request.resume());
  const { client } = await openClientOf(server, { lifetimeMs: 150 });
  const ends = await Promise.allSettled([
    client.rooms.list(),
    client.rooms.create({ name: 'x' }),
    client.upload(Buffer.alloc(9), { name: 'x.txt' }),
  ]);
  const reasons = ends.map((end) => (end.status === 'rejected' ? end.reason : undefined));
  expect(reasons[0]).toBeInstanceOf(TimeoutError);
  expect(reasons[1]).toBeInstanceOf(UnknownOutcomeError);
  // All bytes were sent.
  expect(reasons[2]).toBeInstanceOf(UnknownOutcomeError);
});

test('a later call sends nothing, even with a longer deadline', async () => {
  let asked = 0;
  const server = createServer(() => {
    asked += 1;
  });
  const { client } = await openClientOf(server, { lifetimeMs: 30 });
  await new Promise((resolve) => setTimeout(resolve, 60));
  await expect(client.rooms.create({ name: 'x' }, { deadlineMs: 60_000 })).rejects.toThrow(TimeoutError);
  expect(asked).toBe(0);
});

test('an invalid lifetimeMs is rejected', () => {
  for (const lifetimeMs of [0, -1, Number.NaN, untyped<number>('5')])
    expect(() => createClient({ apiKey: 'k', baseUrl: 'https://x.test', lifetimeMs })).toThrow(InputError);
});
