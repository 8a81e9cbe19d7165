/** Calls that the service counts late (slow machine or network, a process that ends), in virtual time. */
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { createLimiter, openSqliteLimitStore } from '../../../src/index.ts';
import { createFolderForFile } from '../../support/cleanup.ts';
import { mostInAnyMinute } from '../../support/counting-service.ts';
import { createRandom } from '../../support/random.ts';

const folder = createFolderForFile('docshare-late-');
beforeEach(() => void vi.useFakeTimers());

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A service that counts a call halfway through its latency `lagMs`. */
function createService(lagMs: () => number) {
  const counted: number[] = [];
  const call = async () => {
    const lag = lagMs();
    await sleep(lag / 2);
    counted.push(performance.now());
    await sleep(lag / 2);
  };
  return { counted, call };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await vi.advanceTimersByTimeAsync(1000);
}

test.each([
  ['alone', 1],
  ['three that share a store', 3],
] as const)('with any latency, a service never counts more than 120 calls in 60 s: %s', async (_, processes) => {
  for (const seed of [1, 2, 3]) {
    const random = createRandom(seed);
    // The machine freezes now and then: calls of that time are counted seconds later, those after it at once.
    const service = createService(() => (Math.floor(performance.now() / 5000) % 4 === 0 ? 12_000 * random() : 20));
    const stores = await Promise.all(
      Array.from({ length: processes }, () => openSqliteLimitStore(join(folder, `${processes}-${seed}.db`))),
    );
    const limiters = stores.map((store) => createLimiter(processes > 1 ? { shared: { store, id: 'key' } } : {}));
    let ended = 0;
    for (let index = 0; index < 600; index++)
      void limiters[index % processes]?.run(service.call).then(() => (ended += 1));
    await until(() => ended === 600);
    for (const store of stores) store.close();
    expect(mostInAnyMinute(service.counted)).toBeLessThanOrEqual(120);
    // At least four windows; a late call adds its delay.
    expect(Math.max(...service.counted) - Math.min(...service.counted)).toBeLessThan(4 * (60_900 + 12_000));
  }
});

test('a call that a process sent late also counts for the others if the process ends before the response', async () => {
  const path = join(folder, 'killed.db');
  const [ending, other] = [await openSqliteLimitStore(path), await openSqliteLimitStore(path)];
  const counted: number[] = [];
  const dying = createLimiter({ shared: { store: ending, id: 'key' } });
  for (let index = 0; index < 8; index++)
    void dying.run(async () => {
      await sleep(1500);
      counted.push(performance.now());
      await new Promise(() => undefined);
    });
  await vi.advanceTimersByTimeAsync(2000);
  ending.close();
  const rest = createLimiter({ shared: { store: other, id: 'key' } });
  for (let index = 0; index < 200; index++)
    void rest.run(async () => {
      counted.push(performance.now());
    });
  await until(() => counted.length === 208);
  other.close();
  expect(mostInAnyMinute(counted)).toBeLessThanOrEqual(120);
});

test('a call with a fast response costs the store one operation', async () => {
  const store = { take: vi.fn(() => 0), renew: vi.fn(), pause: vi.fn() };
  const limiter = createLimiter({ shared: { store, id: 'key' } });
  const runs = Array.from({ length: 8 }, () => limiter.run(() => sleep(700)));
  await vi.advanceTimersByTimeAsync(1000);
  await Promise.all(runs);
  expect([store.take.mock.calls.length, store.renew.mock.calls.length]).toEqual([8, 0]);
});

test('a long call is renewed in the store at growing intervals under the ID of its start, and once more at its end', async () => {
  const renewed: [at: number, start: string][] = [];
  const taken: string[] = [];
  const store = {
    take: ({ start }: { start: string }) => {
      taken.push(start);
      return 0;
    },
    renew: ({ start }: { start: string }) => void renewed.push([performance.now() - from, start]),
    pause: () => undefined,
  };
  const from = performance.now();
  const run = createLimiter({ shared: { store, id: 'key' } }).run(() => sleep(30_000));
  await vi.advanceTimersByTimeAsync(40_000);
  await run;
  expect(renewed.map(([at]) => Math.round(at / 100) * 100)).toEqual([800, 2400, 5600, 12_000, 24_800, 30_000]);
  expect(new Set(renewed.map(([, start]) => start))).toEqual(new Set(taken));
});

test.each([
  [800, 10_000],
  [801, 10_801],
])('after a response at %i ms the next call starts at %i ms', async (lagMs, startMs) => {
  const limiter = createLimiter({ requests: 1, windowMs: 10_000 });
  const from = performance.now();
  void limiter.run(() => sleep(lagMs));
  const next = limiter.run(async () => performance.now() - from);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await next).toBe(startMs);
});
