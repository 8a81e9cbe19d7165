/** The effects of one attempt on the limiter and on the connection. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  defineClient,
  type Limiter,
  RateLimitError,
  TimeoutError,
  type Transport,
  type TransportResponse,
} from '../../../src/index.ts';

/** Starts every call at once and records its pauses. */
function openLimiter() {
  const pauses: { ms: number; startedAt: number | undefined }[] = [];
  const limiter: Limiter = {
    run: (task) => task(),
    pause: (ms, startedAt) => void pauses.push({ ms, startedAt }),
    expectedWaitMs: () => 0,
  };
  return { limiter, pauses };
}

function clientOf(transport: Transport, limiter: Limiter) {
  const baseUrl = 'https://docshare.test/api/v1';
  return defineClient({ apiKey: 'key', baseUrl, transport, limiter, retry: { retries: 0 } });
}

test('a 429 passes the start time of its call to the limiter, so that one burst slows down once', async () => {
  const { limiter, pauses } = openLimiter();
  let sentAt = 0;
  const client = clientOf(async () => {
    sentAt = performance.now();
    return { status: 429, headers: { 'retry-after': '2' }, body: Readable.from([Buffer.from('{}')]) };
  }, limiter);
  const calledAt = performance.now();
  await expect(client.documents.get({ id: 'd' })).rejects.toThrow(RateLimitError);
  expect(pauses).toHaveLength(1);
  const [{ ms, startedAt = Number.NaN } = { ms: 0 }] = pauses;
  expect(ms).toBe(2000);
  expect(startedAt).toBeGreaterThanOrEqual(calledAt);
  expect(startedAt).toBeLessThanOrEqual(sentAt);
});

test('a response after the timeout is read to its end, which releases the connection', async () => {
  const late = Promise.withResolvers<TransportResponse>();
  const client = clientOf(() => late.promise, openLimiter().limiter);
  await expect(client.documents.get({ id: 'd' }, { timeoutMs: 5 })).rejects.toThrow(TimeoutError);
  let ended = false;
  async function* body() {
    yield Buffer.from('{}');
    ended = true;
  }
  late.resolve({ status: 200, headers: {}, body: body() });
  await expect.poll(() => ended).toBe(true);
});
