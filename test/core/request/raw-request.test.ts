/** A call that the catalog does not name: where it may lead, and what becomes of one that ran. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  createLimiter,
  defineClient,
  InputError,
  type TransportRequest,
  type TransportResponse,
} from '../../../src/index.ts';
import { texts } from '../texts.ts';

function clientOf(...answers: readonly Omit<TransportResponse, 'body'>[]) {
  const requests: TransportRequest[] = [];
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter({ requests: 100_000 }),
    retry: { retries: 0 },
    transport: async (request) => {
      requests.push(request);
      const answer = answers[requests.length - 1] ?? { status: 200, headers: {} };
      return { ...answer, body: Readable.from([Buffer.from('{}')]) };
    },
  });
  return { client, requests };
}

test.each([
  '/..',
  '/../admin',
  '/links/../../../admin',
  '/%2e%2e/admin',
  '/.%2E/%2e./admin',
  '/../v1',
  '/../v1x/links',
  '//other.test/api/v1/links',
  '/\\other.test/links',
  'https://other.test/api/v1/links',
  '@other.test/links',
  'links',
  '/links#part',
  '/li nks',
])('the path %s leads out of the base URL, or is none: nothing is sent, and the key goes nowhere', async (path) => {
  const { client, requests } = clientOf();
  await expect(client.request({ method: 'GET', path })).rejects.toThrow(InputError);
  expect(requests).toEqual([]);
});

test('a path that stays below the base URL is sent as it was resolved', async () => {
  const { client, requests } = clientOf();
  await client.request({ method: 'GET', path: '/links/../rooms', query: { page: 2 } });
  expect(requests.map(({ url }) => url)).toEqual(['https://docshare.test/api/v1/rooms?page=2']);
});

test('a write that ran is done, whatever becomes of reading its result elsewhere; a read is not', async () => {
  const moved = { status: 303, headers: { location: '/api/v1/jobs/1' } };
  const broken = { status: 500, headers: {} };
  const write = clientOf(moved, broken);
  expect(await write.client.request({ method: 'POST', path: '/links/1/copy', body: {} })).toMatchObject({
    status: 303,
    note: expect.stringContaining(texts.serviceRespondedStatus303),
  });
  expect(write.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  const read = clientOf(moved, broken);
  await expect(read.client.request({ method: 'GET', path: '/links/1/copy' })).rejects.toMatchObject({ status: 500 });
});

test.each([
  ['GET', undefined],
  ['POST', texts.callSucceededServiceRespondedStatus200],
] as const)('what is larger than 8 MiB is not given as the whole: %s', async (method, note) => {
  const text = JSON.stringify('x'.repeat(9 * 2 ** 20));
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    transport: async () => ({ status: 200, headers: {}, body: Readable.from([Buffer.from(text)]) }),
  });
  const answer = client.request({ method, path: '/exports' });
  if (note === undefined) await expect(answer).rejects.toThrow(/status 200\) exceeds the maximum size/);
  else await expect(answer).resolves.toMatchObject({ status: 200, note });
});
