import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  createLimiter,
  defineClient,
  type LimiterRunOptions,
  LimiterWaitError,
  openSqliteLimitStore,
  RateLimitError,
  type Wait,
} from '../../../src/index.ts';
import { createFolderForTest } from '../../support/cleanup.ts';
import { createCountingService } from '../../support/counting-service.ts';

beforeEach(() => void vi.useFakeTimers());

const HOUR_MS = 3_600_000;
const WINDOW_MS = 60_000;

/** A limiter whose store decides when it may start. */
function behindOthers(waitMs: number) {
  const from = performance.now();
  const others = { until: from + waitMs, asked: 0 };
  const take = () => {
    others.asked += 1;
    return Math.max(0, others.until - performance.now());
  };
  const store = { take, pause: () => undefined };
  const limiter = createLimiter({ requests: 2, windowMs: WINDOW_MS, shared: { store, id: 'key' } });
  /** Returns the start time or the error, and the reported waits. */
  const call = (options: LimiterRunOptions = {}) => {
    const told: Wait[] = [];
    const onWait = (wait: Wait) => void told.push(wait);
    const start = async () => performance.now() - from;
    return { told, ended: limiter.run(start, { onWait, ...options }).catch((error: unknown) => error) };
  };
  return { limiter, others, call };
}

/** Everything that happens without time passing. */
const settled = () => vi.advanceTimersByTimeAsync(0);

test('each waiting call and each new one is notified of a known wait once', async () => {
  const { others, call } = behindOthers(57_000);
  const [first, second] = [call(), call()];
  await settled();
  expect(first.told).toEqual([{ position: 0, waitMs: 57_000 }]);
  expect(second.told).toEqual([{ position: 1, waitMs: 57_000 }]);
  const third = call();
  expect(third.told).toEqual([{ position: 2, waitMs: 57_000 + WINDOW_MS }]);
  await vi.advanceTimersByTimeAsync(57_000);
  expect(await first.ended).toBe(57_000);
  expect([first.told.length, second.told.length, third.told.length]).toEqual([1, 1, 1]);
  expect(others.asked).toBe(3);
});

test('a wait that becomes longer is reported again, unless by less than a second', async () => {
  const { others, call } = behindOthers(5000);
  const { told, ended } = call();
  await vi.advanceTimersByTimeAsync(4000);
  others.until += 999;
  await vi.advanceTimersByTimeAsync(1500);
  expect(told.map(({ waitMs }) => waitMs)).toEqual([5000]);
  others.until += 20_000;
  await vi.advanceTimersByTimeAsync(25_000);
  expect(told.map(({ waitMs }) => waitMs)).toEqual([5000, 20_000]);
  expect(await ended).toBe(25_999);
});

test('a call with a shorter maxWaitMs is rejected as soon as the wait is known, with the time until a retry', async () => {
  const { call } = behindOthers(57_000);
  const [hurried, patient] = [call({ maxWaitMs: 4000 }), call({ maxWaitMs: 58_000 })];
  await settled();
  expect(await hurried.ended).toEqual(new LimiterWaitError(57_000, 'shared-limit'));
  expect(hurried.told).toEqual([]);
  expect(await call({ maxWaitMs: 4000 }).ended).toEqual(new LimiterWaitError(57_000, 'shared-limit'));
  await vi.advanceTimersByTimeAsync(57_000);
  expect(await patient.ended).toBe(57_000);
});

test('a long pause of another process rejects calls with a shorter maxPauseMs, waiting and later ones', async () => {
  const { limiter, others, call } = behindOthers(HOUR_MS);
  const patient = call();
  const waiting = call({ maxPauseMs: 300_000 });
  await settled();
  expect(await waiting.ended).toEqual(new LimiterWaitError(HOUR_MS, 'shared-limit'));
  expect(limiter.expectedWaitMs()).toBe(HOUR_MS);
  expect(await call({ maxPauseMs: 300_000 }).ended).toEqual(new LimiterWaitError(HOUR_MS, 'shared-limit'));
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(await patient.ended).toBe(HOUR_MS);
  expect(patient.told).toEqual([{ position: 0, waitMs: HOUR_MS }]);
  // Once per window: a reported pause is not trusted for its whole length.
  expect(others.asked).toBe(HOUR_MS / WINDOW_MS + 1);
});

test('a pause during a request to the store stops the call that the store allows', async () => {
  const from = performance.now();
  let answer = (_waitMs: number) => {};
  const take = () => new Promise<number>((resolve) => (answer = resolve));
  const limiter = createLimiter({ shared: { store: { take, pause: () => undefined }, id: 'key' } });
  const started = limiter.run(async () => performance.now() - from);
  limiter.pause(5000);
  answer(0);
  await vi.advanceTimersByTimeAsync(5000);
  answer(0);
  expect(await started).toBe(5000);
});

test('the store receives each pause that makes the wait longer, and no other', async () => {
  const pauses: number[] = [];
  const store = { take: () => 0, pause: (_: string, until: number) => void pauses.push(until - Date.now()) };
  const limiter = createLimiter({ shared: { store, id: 'key' } });
  for (const ms of [5000, 3000, 5000, 7000]) limiter.pause(ms);
  expect(pauses).toEqual([5000, 7000]);
});

test('a cancelled pause ends at most one window later, for waiting and new calls', async () => {
  for (const isWaiting of [true, false]) {
    const { others, call } = behindOthers(HOUR_MS);
    const asked = call(isWaiting ? {} : { maxPauseMs: 300_000 });
    await settled();
    others.until = performance.now();
    await vi.advanceTimersByTimeAsync(WINDOW_MS);
    const next = call({ maxPauseMs: 300_000 });
    await settled();
    expect(await next.ended).toBe(WINDOW_MS);
    if (isWaiting) expect(await asked.ended).toBe(WINDOW_MS);
  }
});

test('the starts of other processes within a window are a queue, not a pause, so maxPauseMs does not apply', async () => {
  const { call } = behindOthers(WINDOW_MS);
  const { ended } = call({ maxPauseMs: 1000 });
  await vi.advanceTimersByTimeAsync(WINDOW_MS);
  expect(await ended).toBe(WINDOW_MS);
});

test.each([1e300, HOUR_MS * 24 * 365])('a wait of %f ms that a store reports counts as a day at most', async (ms) => {
  const store = { take: () => ms, pause: () => undefined };
  const limiter = createLimiter({ shared: { store, id: 'key' } });
  const call = limiter.run(async () => 'ran', { maxPauseMs: 300_000 });
  await expect(call).rejects.toEqual(new LimiterWaitError(24 * HOUR_MS, 'shared-limit'));
  expect(vi.getTimerCount()).toBe(0);
});

test('a plain call is rejected at once during a pause of an hour, in each of two processes with one file', async () => {
  const path = join(createFolderForTest('docshare-waits-'), 'limit.db');
  const stores = [await openSqliteLimitStore(path), await openSqliteLimitStore(path)];
  const limiters = stores.map((store) => createLimiter({ shared: { store, id: 'key' } }));
  const [own, other] = limiters.map((limiter) => {
    const { transport } = createCountingService({ counting: 'sliding', seed: 1 });
    return defineClient({ apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', transport, limiter });
  });
  limiters[0]?.pause(HOUR_MS);
  for (const client of [own, other]) {
    const refused = await client?.links.list().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RateLimitError);
    expect((refused as RateLimitError).retryAfterMs).toBeGreaterThan(HOUR_MS / 2);
  }
  for (const store of stores) store.close();
});
