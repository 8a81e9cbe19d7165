import { beforeEach, expect, test, vi } from 'vitest';
import { createLimiter, defineClient, type LimiterRunOptions, type LimiterWaitError } from '../../../src/index.ts';
import { createCountingService, mostInAnyMinute, startMany } from '../../support/counting-service.ts';
import { texts } from '../texts.ts';

beforeEach(() => void vi.useFakeTimers());

test.each(['sliding', 'fixed', 'bucket'] as const)(
  '480 calls at a %s service start within 180 to 186 s, at most 120 in any 60 s, and none is rejected',
  async (counting) => {
    const service = createCountingService({ counting, seed: 1 });
    const { starts, failures } = await startMany(480, service);
    expect(failures).toEqual([]);
    expect(starts).toHaveLength(480);
    expect(service.refused()).toBe(0);
    expect(mostInAnyMinute(starts)).toBeLessThanOrEqual(120);
    const lastedMs = Math.max(...starts) - Math.min(...starts);
    expect(lastedMs).toBeGreaterThanOrEqual(180_000);
    expect(lastedMs).toBeLessThanOrEqual(186_000);
  },
);

test.each([5, 15, 25])('600 calls in bursts of %i are rejected fewer than 20 times, and succeed', async (burst) => {
  const service = createCountingService({ counting: 'bucket', burst, seed: burst });
  const { starts, failures } = await startMany(600, service);
  expect(failures).toEqual([]);
  expect(service.refused()).toBeLessThan(20);
  expect(mostInAnyMinute(starts)).toBeLessThanOrEqual(120);
});

const HOUR_MS = 3_600_000;

async function startAcrossStep(stepMs: number, limiter = createLimiter()) {
  const starts: number[] = [];
  const runs = Promise.all(
    Array.from({ length: 500 }, () => limiter.run(async () => void starts.push(performance.now()))),
  );
  for (let second = 0; second < 250; second++) {
    if (second === 30 || second === 90) vi.setSystemTime(Date.now() + stepMs);
    await vi.advanceTimersByTimeAsync(1000);
  }
  await runs;
  return starts;
}

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('500 calls start within 244 s, at most 120 in any 60 s, even if the clock is set an hour %s', async (_, stepMs) => {
  const starts = await startAcrossStep(stepMs);
  expect(starts).toHaveLength(500);
  expect(mostInAnyMinute(starts)).toBeLessThanOrEqual(120);
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBe(4 * 60_900);
});

test.each([HOUR_MS, -HOUR_MS])('a pause has its full length, even if the clock is set by %i ms', async (stepMs) => {
  const limiter = createLimiter();
  const from = performance.now();
  limiter.pause(5000);
  const run = limiter.run(async () => performance.now() - from, { maxWaitMs: 6000 });
  vi.setSystemTime(Date.now() + stepMs);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await run).toBe(5000);
});

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

const SMALL = { requests: 1, windowMs: 1000 };

function fail(): never {
  throw new Error('a fault of the listener');
}

test.each([
  ['logger', { logger: fail }],
  ['hook', { hooks: { onWait: fail } }],
  ['hook that rejects', { hooks: { onWait: async () => fail() } }],
])('a %s that throws while calls wait changes nothing: each call is sent once and succeeds', async (_, faulty) => {
  const service = createCountingService({ counting: 'sliding', seed: 1 });
  const { transport } = service;
  // Throws only on the message about waiting: errors of the logger elsewhere are not the limiter's.
  const logger = 'logger' in faulty ? { logger: failOn(texts.waitingForTheRateLimit) } : {};
  const limiter = createLimiter(SMALL);
  const baseUrl = 'https://docshare.test/api/v1';
  const client = defineClient({ apiKey: 'key', baseUrl, transport, limiter, ...faulty, ...logger });
  const ends = Promise.allSettled(['a', 'b', 'c'].map((id) => client.agreements.send({ id }, { onWait: fail })));
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(service.starts).toHaveLength(3);
});

function failOn(message: string) {
  return (_level: string, text: string) => {
    if (text === message) fail();
  };
}

test('an onWait that throws during a pause does not affect the other calls', async () => {
  const limiter = createLimiter(SMALL);
  const order: string[] = [];
  const run = (name: string) => limiter.run(async () => void order.push(name), { onWait: fail });
  const runs = ['first', 'second', 'third'].map(run);
  limiter.pause(3000);
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(runs);
  expect(order).toEqual(['first', 'second', 'third']);
});

test('a listener may call the limiter', async () => {
  const limiter = createLimiter(SMALL);
  const order: string[] = [];
  const inner: Promise<unknown>[] = [];
  const seen: number[] = [];
  const runs = [
    limiter.run(async () => void order.push('first')),
    limiter.run(async () => void order.push('second'), {
      onWait: () => {
        seen.push(limiter.expectedWaitMs());
        if (inner.length > 0) return;
        inner.push(limiter.run(async () => void order.push('inner'), { priority: 1 }));
        limiter.pause(1500);
      },
    }),
  ];
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all([...runs, ...inner]);
  expect(order).toEqual(['first', 'inner', 'second']);
  expect(seen[0]).toBe(2000);
});

test('an onStart that throws changes nothing', async () => {
  const limiter = createLimiter({ ...SMALL, onStart: fail });
  const runs = Promise.all([limiter.run(async () => 1), limiter.run(async () => 2)]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await runs).toEqual([1, 2]);
});
