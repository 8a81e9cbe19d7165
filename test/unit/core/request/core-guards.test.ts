/** What stands before and behind a request of the core: addresses, headers, redirects of a file, a list that goes on. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLimiter, defineClient, IncompleteListError, InputError } from '../../../../src/index.ts';
import { parseNextUrl } from '../../../../src/pagination/next-url.ts';
import { parseBaseUrl } from '../../../../src/request/build-request.ts';
import type { ExchangeContext } from '../../../../src/request/client-context.ts';
import { checkHeaders } from '../../../../src/request/custom-headers.ts';
import type { RequestPolicy } from '../../../../src/request/request-policy.ts';
import { runWithRetries } from '../../../../src/request/run-with-retries.ts';
import { createCancellation } from '../../../../src/timer.ts';
import { texts } from '../../../core/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

test.each([
  'http://notlocalhost/api/v1',
  'http://evil-127.0.0.1/api/v1',
  'http://localhost.example.com/api/v1',
  'http://127.0.0.1.example.com/api/v1',
])('the key goes in plain text to this machine alone: %s is refused', (address) => {
  expect(() => parseBaseUrl(address)).toThrow(InputError);
});

test.each(['a\nb', 'a\r\nx-other: b', 'a\n', '\0', 'ř'])(
  'a header of the value %j is refused before it is sent',
  (value) => {
    expect(() => checkHeaders({ traceparent: value })).toThrow(texts.valueTraceparentMustSingle);
  },
);

test.each([
  [503, 404],
  [503, 410],
  [408, 404],
  [503, 429, 404],
])('a DELETE that may have run, answered %j, %j, is done', async (...statuses) => {
  const answers = [...statuses];
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter({ requests: 100_000 }),
    retry: { retries: 2, baseDelayMs: 0 },
    transport: async () => ({ status: answers.shift() ?? 500, headers: {}, body: Readable.from([]) }),
  });
  await expect(client.links.delete({ id: 'l1' })).resolves.toEqual({ id: 'l1' });
});

test.each([
  ['another id', '/links?id=b&page=2'],
  ['its own id beside another', '/links?id=a&id=b&page=2'],
])('an address of the next page that asks for %s is not followed', (_, address) => {
  const listUrl = new URL('https://docshare.test/api/v1/links');
  const query = new URLSearchParams();
  const request = { listUrl, query, basePath: '/api/v1', pathParams: { id: 'a' } };
  expect(parseNextUrl(`/api/v1${address}`, request)).toContain('asks for another "id"');
});

test('a list that goes on elsewhere says how many entries were read in all', async () => {
  const pages = [
    { data: [{ id: 'a' }, { id: 'b' }], offset: 0, total: 50 },
    { data: [{ id: 'c' }], offset: 2, total: 50 },
    { data: [] },
  ];
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter({ requests: 100_000 }),
    transport: async () => ({
      status: 200,
      headers: {},
      body: Readable.from([Buffer.from(JSON.stringify(pages.shift()))]),
    }),
  });
  const { cursor } = await client.links.list();
  const error = await client.links
    .list({}, { cursor: JSON.parse(JSON.stringify(cursor)) })
    .collect()
    .catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(IncompleteListError);
  expect(error).toMatchObject({ itemsRead: 3, total: 50 });
});

test('a request that is prepared anew has all of its redirects before it', async () => {
  const hops: number[] = [];
  const outcomes = [
    { kind: 'redirected', request: { method: 'GET', url: 'b', headers: {} } },
    { kind: 'failed', error: new Error('again'), retryable: true, mayHaveRun: false, waitMs: 0 },
    { kind: 'succeeded', result: 'file' },
  ];
  const rules = standIn<RequestPolicy<string>>({
    retries: 1,
    rebuildsRequest: true,
    prepare: () => ({ method: 'GET', url: 'a', headers: {} }),
    schedule: async (_: unknown, turn: { hops: number }) => {
      hops.push(turn.hops);
      return outcomes.shift();
    },
  });
  const context = standIn<ExchangeContext>({ retry: { retries: 1, baseDelayMs: 0, maxDelayMs: 0 } });
  const lifetime = createCancellation(undefined, new AbortController().signal);
  expect(await runWithRetries(context, rules, lifetime)).toBe('file');
  expect(hops).toEqual([0, 1, 0]);
});
