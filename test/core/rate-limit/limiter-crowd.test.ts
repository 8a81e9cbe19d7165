/** Many waiting calls and long calls: none blocks another. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimiter, type LimiterRunOptions, type LimiterWaitError } from '../../../src/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => undefined);

test('10,000 queued calls that are aborted reject with the reason, none is sent, and the limiter still works', async () => {
  const limiter = createLimiter({ requests: 1, windowMs: 1000 });
  await limiter.run(async () => undefined);
  let sent = 0;
  const together = new AbortController();
  const own = Array.from({ length: 5_000 }, () => new AbortController());
  const queue = (signal: AbortSignal, priority: number) =>
    limiter.run(async () => void sent++, { signal, priority }).catch((reason: unknown) => reason);
  const runs = [
    ...own.map(({ signal }, index) => queue(signal, index % 3)),
    ...own.map((_, index) => queue(together.signal, index % 3)),
  ];
  expect(limiter.expectedWaitMs()).toBe(10_001_000);
  for (const control of own.toReversed()) control.abort('enough');
  together.abort('enough');
  expect(new Set(await Promise.all(runs))).toEqual(new Set(['enough']));
  expect(limiter.expectedWaitMs()).toBe(1000);
  expect(vi.getTimerCount()).toBe(0);
  const next = limiter.run(async () => 'ran');
  await vi.advanceTimersByTimeAsync(1000);
  expect([await next, sent]).toEqual(['ran', 0]);
});

test('any number of calls with any priorities start in order of priority', async () => {
  const limiter = createLimiter({ requests: 1, windowMs: 10 });
  await limiter.run(async () => undefined);
  const calls = Array.from({ length: 600 }, (_, index) => ({ index, priority: (index * 7) % 5 }));
  const order: typeof calls = [];
  const left = new AbortController();
  const runs = calls.map((call) => {
    const run: LimiterRunOptions = { priority: call.priority, ...(call.index % 2 ? {} : { signal: left.signal }) };
    return limiter.run(async () => void order.push(call), run).catch(() => undefined);
  });
  await vi.advanceTimersByTimeAsync(100);
  left.abort();
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(runs);
  const sorted = calls.toSorted((one, other) => other.priority - one.priority || one.index - other.index);
  const [first, rest] = [sorted.slice(0, 10), sorted.slice(10)];
  expect(order).toEqual([...first, ...rest.filter(({ index }) => index % 2)]);
});

test.each<[string, () => Promise<unknown>, LimiterRunOptions, number]>([
  ['gets its response', () => new Promise((resolve) => setTimeout(resolve, 100)), {}, 100],
  ['hangs', never, {}, 1000],
  ['hangs and is long-running, such as an upload', never, { isLongRunning: true }, 250],
])('with one call at a time, the next one starts when the first %s', async (_, task, options, startMs) => {
  const limiter = createLimiter({ concurrency: 1 });
  const from = performance.now();
  void limiter.run(task, options);
  const next = limiter.run(async () => performance.now() - from);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await next).toBe(startMs);
});

test('calls that hang delay others by only a second, and still count as starts', async () => {
  const limiter = createLimiter({ requests: 30, windowMs: 60_000 });
  const starts: number[] = [];
  const from = performance.now();
  for (let call = 0; call < 40; call++)
    void limiter.run(() => {
      starts.push(performance.now() - from);
      return never();
    });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(starts.filter((at) => at === 0)).toHaveLength(10);
  expect(starts.filter((at) => at <= 2000)).toHaveLength(30);
  expect(starts).toHaveLength(40);
});

test('a wait that ends reports what it waited for', async () => {
  const end = (limiter: ReturnType<typeof createLimiter>, maxWaitMs: number) =>
    limiter.run(never, { maxWaitMs }).catch(({ waitMs, reason }: LimiterWaitError) => [reason, waitMs]);
  const full = createLimiter({ requests: 1, windowMs: 9000 });
  await full.run(async () => undefined);
  expect(await end(full, 100)).toEqual(['window', 9000]);
  full.pause(20_000);
  expect(await end(full, 100)).toEqual(['pause', 20_000]);
  const paced = createLimiter({ requests: 10, windowMs: 60_000 });
  paced.pause(0);
  await paced.run(async () => undefined);
  expect(await end(paced, 100)).toEqual(['adaptive-rate', 6000]);
  const busy = createLimiter({ concurrency: 1 });
  void busy.run(never);
  const hurried = end(busy, 100);
  await vi.advanceTimersByTimeAsync(101);
  expect(await hurried).toEqual(['in-flight', 1]);
  const store = { take: () => 700, pause: () => undefined };
  const shared = createLimiter({ shared: { store, id: 'key' } });
  const among = end(shared, 500);
  await vi.advanceTimersByTimeAsync(501);
  expect(await among).toEqual(['shared-limit', expect.any(Number)]);
});
