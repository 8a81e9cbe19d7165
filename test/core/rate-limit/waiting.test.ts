import { beforeEach, expect, test, vi } from 'vitest';
import { createLimiter, InputError, type Limiter, LimiterWaitError, type Wait } from '../../../src/index.ts';

beforeEach(() => void vi.useFakeTimers());

const SMALL = { requests: 3, windowMs: 1000 };

/** Runs calls that take no time, and records the millisecond at which each started. */
function startAll(limiter: Limiter, calls: number): { readonly starts: number[]; all: Promise<unknown> } {
  const from = Date.now();
  const starts: number[] = [];
  const runs = Array.from({ length: calls }, () =>
    limiter.run(async () => {
      starts.push(Date.now() - from);
    }),
  );
  return { starts, all: Promise.all(runs) };
}

test('each call starts exactly one window after the call `requests` positions before it', async () => {
  const { starts, all } = startAll(createLimiter(SMALL), 8);
  await vi.advanceTimersByTimeAsync(5000);
  await all;
  expect(starts).toEqual([0, 0, 0, 1000, 1000, 1000, 2000, 2000]);
});

test('onWait receives the position and the wait of a call, which then starts at that time', async () => {
  const limiter = createLimiter(SMALL);
  const from = Date.now();
  const seen: (Wait & { startedAt: number })[] = [];
  const runs = Array.from({ length: 9 }, async () => {
    let told: Wait = { position: 0, waitMs: 0 };
    await limiter.run(
      async () => {
        seen.push({ ...told, startedAt: Date.now() - from });
      },
      {
        onWait: (wait) => {
          told = wait;
        },
      },
    );
  });
  expect(limiter.expectedWaitMs()).toBe(3000);
  await vi.advanceTimersByTimeAsync(5000);
  await Promise.all(runs);
  expect(seen.map(({ position }) => position)).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5]);
  expect(seen.every(({ waitMs, startedAt }) => waitMs === startedAt)).toBe(true);
});

test('a cancelled call rejects with its own reason at once and frees its place', async () => {
  const limiter = createLimiter(SMALL);
  const first = startAll(limiter, 3);
  const control = new AbortController();
  const cancelled = limiter.run(async () => 'ran', { signal: control.signal }).catch((reason: unknown) => reason);
  const next = startAll(limiter, 1);
  control.abort('enough');
  expect(await cancelled).toBe('enough');
  expect(limiter.expectedWaitMs()).toBe(1000);
  await vi.advanceTimersByTimeAsync(1000);
  await Promise.all([first.all, next.all]);
  expect(next.starts).toEqual([1000]);
  await expect(limiter.run(async () => 'ran', { signal: AbortSignal.abort('before') })).rejects.toBe('before');
});

test('calls of higher priority start earlier, equal ones in the order of arrival', async () => {
  const limiter = createLimiter({ requests: 1, windowMs: 1000 });
  const order: string[] = [];
  const told: number[] = [];
  const run = (name: string, priority: number) =>
    limiter.run(async () => void order.push(name), { priority, onWait: ({ position }) => told.push(position) });
  const runs = [run('now', 0), run('bulk 1', 0), run('bulk 2', 0), run('person 1', 1), run('person 2', 1)];
  await vi.advanceTimersByTimeAsync(5000);
  await Promise.all(runs);
  expect(order).toEqual(['now', 'person 1', 'person 2', 'bulk 1', 'bulk 2']);
  expect(told).toEqual([0, 1, 0, 1]);
});

test('a wait longer than maxWaitMs is rejected at once, with the time until a retry', async () => {
  const limiter = createLimiter(SMALL);
  await startAll(limiter, 3).all;
  await vi.advanceTimersByTimeAsync(400);
  await expect(limiter.run(async () => 'ran', { maxWaitMs: 599 })).rejects.toEqual(new LimiterWaitError(600, 'window'));
  const patient = limiter.run(async () => 'ran', { maxWaitMs: 600 });
  await vi.advanceTimersByTimeAsync(600);
  expect(await patient).toBe('ran');
});

test('a pause rejects waiting calls whose maxWaitMs is shorter, and is reported to the others', async () => {
  const limiter = createLimiter(SMALL);
  await startAll(limiter, 3).all;
  const waits: Wait[] = [];
  const hurried = limiter.run(async () => 'ran', { maxWaitMs: 2000 }).catch((reason: unknown) => reason);
  const patient = limiter.run(async () => Date.now(), { onWait: (wait) => waits.push(wait) });
  const from = Date.now();
  limiter.pause(5000);
  expect(await hurried).toEqual(new LimiterWaitError(5000, 'pause'));
  expect(waits).toEqual([
    { position: 1, waitMs: 1000 },
    { position: 0, waitMs: 5000 },
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await patient) - from).toBeGreaterThanOrEqual(5000);
});

test('a pause delays every start; afterwards starts are evenly spaced until the service has been quiet for long', async () => {
  const limiter = createLimiter({ requests: 60, windowMs: 60_000 });
  limiter.pause(2000);
  const paced = startAll(limiter, 3);
  await vi.advanceTimersByTimeAsync(10_000);
  await paced.all;
  expect(paced.starts).toEqual([2000, 3000, 4000]);
  for (let minutes = 0; minutes < 10; minutes++) {
    await vi.advanceTimersByTimeAsync(130_000);
    await startAll(limiter, 1).all;
  }
  const burst = startAll(limiter, 3);
  await vi.advanceTimersByTimeAsync(0);
  await burst.all;
  expect(burst.starts).toEqual([0, 0, 0]);
});

test('the 429s of one burst slow down once; a 429 of a later call slows down further', async () => {
  const limiter = createLimiter({ requests: 60, windowMs: 60_000 });
  const startedAt = performance.now();
  await vi.advanceTimersByTimeAsync(100);
  limiter.pause(0, startedAt);
  limiter.pause(0, startedAt);
  limiter.pause(0, startedAt);
  const once = startAll(limiter, 3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(once.starts).toEqual([0, 1000, 2000]);
  limiter.pause(0, performance.now());
  const twice = startAll(limiter, 3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(twice.starts).toEqual([0, 2000, 4000]);
});

test('no timer is left while no call waits', async () => {
  const limiter = createLimiter(SMALL);
  await startAll(limiter, 3).all;
  limiter.pause(60_000);
  const control = new AbortController();
  const cancelled = limiter.run(async () => 'ran', { signal: control.signal, maxWaitMs: 90_000 }).catch(() => 'left');
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  control.abort();
  expect(await cancelled).toBe('left');
  expect(vi.getTimerCount()).toBe(0);
});

test('invalid options of a limiter and an invalid priority are rejected', async () => {
  const wrong = [{ requests: 0 }, { requests: 1.5 }, { concurrency: Number.NaN }, { windowMs: 0 }, { windowMs: 1 / 0 }];
  for (const options of wrong) expect(() => createLimiter(options)).toThrow(InputError);
  const limiter = createLimiter({ requests: 1, windowMs: 1000 });
  await limiter.run(async () => undefined);
  await expect(limiter.run(async () => 'ran', { priority: Number.NaN })).rejects.toThrow(InputError);
  expect(vi.getTimerCount()).toBe(0);
});

test('of two pauses at once, each waiting call is notified of the longer one, once', async () => {
  const limiter = createLimiter(SMALL);
  const first = startAll(limiter, 3);
  const told: number[] = [];
  const control = new AbortController();
  const run = (at: number) =>
    limiter.run(async () => undefined, {
      signal: control.signal,
      onWait: () => {
        told[at] = (told[at] ?? 0) + 1;
      },
    });
  const crowd = Promise.allSettled(Array.from({ length: 600 }, (_, at) => run(at)));
  told.fill(0);
  limiter.pause(2000);
  limiter.pause(3_600_000);
  await vi.advanceTimersByTimeAsync(0);
  control.abort('over');
  await Promise.all([first.all, crowd]);
  expect([told[0], told[499], told[500], told[599]]).toEqual([2, 2, 1, 1]);
});
