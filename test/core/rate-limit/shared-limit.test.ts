import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLimiter, type Limiter, type LimitStore, openSqliteLimitStore } from '../../../src/index.ts';
import { createFolderForFile, createFolderForTest } from '../../support/cleanup.ts';
import { mostInAnyMinute } from '../../support/counting-service.ts';

const worker = fileURLToPath(new URL('../../support/limit-worker.ts', import.meta.url));
const folder = createFolderForFile('docshare-limit-');

test('four processes with one file stay within the limit together', async () => {
  const [requests, windowMs, calls] = [40, 1500, 40];
  const args = [worker, join(folder, 'four.db'), String(calls), String(requests), String(windowMs)];
  const outputs = await Promise.all(
    Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['--no-warnings', ...args])),
  );
  const ends = outputs.map(({ stdout }): { ran: number; booked: [number, number][] } => JSON.parse(stdout));
  expect(ends.map(({ ran }) => ran)).toEqual([calls, calls, calls, calls]);
  const booked = ends.flatMap((end) => end.booked);
  expect(booked).toHaveLength(4 * calls);
  const earliest = booked.map(([after]) => after).sort((a, b) => a - b);
  const latest = booked.map(([, before]) => before).sort((a, b) => a - b);
  // A slow machine can make two starts seem further apart than they were, never closer.
  for (const [index, before] of latest.slice(requests).entries())
    expect(before - (earliest[index] ?? before)).toBeGreaterThanOrEqual(windowMs - 1);
});

describe('in virtual time', () => {
  beforeEach(() => void vi.useFakeTimers());

  async function openTwo(name: string) {
    const path = join(folder, name);
    const stores = [await openSqliteLimitStore(path), await openSqliteLimitStore(path)];
    return { stores, close: () => stores.forEach((store) => void store.close()) };
  }

  /** Runs calls through all limiters for `seconds` and returns their start times. */
  async function start(limiters: readonly Limiter[], calls: number, seconds: number, onSecond = (_: number) => {}) {
    const from = performance.now();
    const starts: number[] = [];
    const runs = Promise.all(
      limiters.flatMap((limiter) =>
        Array.from({ length: calls }, () => limiter.run(async () => void starts.push(performance.now() - from))),
      ),
    );
    for (let second = 0; second < seconds; second++) {
      onSecond(second);
      await vi.advanceTimersByTimeAsync(1000);
    }
    await runs;
    return starts;
  }

  test.each([0, 3_600_000, -3_600_000])(
    'processes that share a file use the whole limit and no more if the wall clock is set by %i ms',
    async (stepMs) => {
      const { stores, close } = await openTwo(`all${stepMs}.db`);
      const limiters = stores.map((store) => createLimiter({ shared: { store, id: 'key' } }));
      const starts = await start(limiters, 150, 125, (second) => {
        if (second === 30) vi.setSystemTime(Date.now() + stepMs);
      });
      expect(mostInAnyMinute(starts)).toBe(120);
      expect(starts).toHaveLength(300);
      expect(Math.max(...starts)).toBeLessThan(2 * 60_900 + 1000);
      close();
    },
  );

  test('a pause in one process delays the others with the same key, for its own length whatever the wall clock says', async () => {
    const { stores, close } = await openTwo('pause.db');
    const [refused, bystander, stranger] = [0, 1, 1].map((index, at) => {
      const store = stores[index];
      if (!store) throw new Error('no store');
      return createLimiter({ shared: { store, id: at === 2 ? 'another key' : 'key' } });
    });
    if (!refused || !bystander || !stranger) throw new Error('no limiter');
    refused.pause(5000);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await start([stranger], 1, 1)).toEqual([0]);
    expect(await start([bystander], 1, 10)).toEqual([4000]);
    close();
  });

  test('entries from before a reboot count as of now: no burst, no long stall', async () => {
    const { stores, close } = await openTwo('reboot.db');
    const limit = { id: 'key', requests: 2, windowMs: 1000, now: 0 };
    const [store] = stores;
    let starts = 0;
    const uptime = vi.spyOn(process.hrtime, 'bigint');
    const take = (uptimeMs: number) => {
      uptime.mockReturnValue(BigInt(uptimeMs) * 1_000_000n);
      starts += 1;
      return store?.take({ ...limit, start: String(starts) });
    };
    expect([take(90_000), take(90_000)]).toEqual([0, 0]);
    expect(take(500)).toBe(1000);
    expect([take(1500), take(1500), take(1500)]).toEqual([0, 0, 1000]);
    store?.pause('key', Date.now() + 3000);
    expect(take(700)).toBe(3000);
    expect(take(3700)).toBe(0);
    close();
  });

  test.each<[string, LimitStore['take']]>([
    [
      'throws',
      () => {
        throw new Error('the disk is full');
      },
    ],
    ['never responds', () => new Promise(() => undefined)],
    ['returns no number', () => Number.NaN],
  ])('a store that %s is reported once and not used for a while: the process limits itself', async (_, take) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const pause = vi.fn(() => Promise.reject(new Error('the disk is full')));
    const taken = vi.fn(take);
    const limiter = createLimiter({ shared: { store: { take: taken, pause }, id: 'key' } });
    const starts = await start([limiter], 240, 100);
    limiter.pause(1000);
    await start([limiter], 1, 100);
    expect(starts).toHaveLength(240);
    expect(mostInAnyMinute(starts)).toBe(120);
    expect(taken.mock.calls.length).toBeLessThan(10);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('disk');
  });

  test('a file that another process never releases is not used for a while', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const path = join(folder, 'held.db');
    const store = await openSqliteLimitStore(path);
    const { DatabaseSync } = await import('node:sqlite');
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN EXCLUSIVE');
    const [first, second] = await start([createLimiter({ shared: { store, id: 'key' } })], 2, 3);
    expect(first).toBeGreaterThanOrEqual(2000);
    expect(second).toBe(first);
    expect(warn).toHaveBeenCalledTimes(1);
    holder.close();
    store.close();
  });

  test('a failing store is not used for ten seconds, and each outage is reported once', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    let broken = true;
    let asked = 0;
    const take = async () => {
      asked += 1;
      if (broken) throw new Error('the disk is full');
      return 0;
    };
    const limiter = createLimiter({ shared: { store: { take, pause: () => undefined }, id: 'key' } });
    const run = () => limiter.run(async () => asked);
    expect(await run()).toBe(1);
    await vi.advanceTimersByTimeAsync(9900);
    expect(await run()).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect([await run(), warn.mock.calls.length]).toEqual([2, 1]);
    broken = false;
    await vi.advanceTimersByTimeAsync(10_100);
    expect([await run(), await run()]).toEqual([3, 4]);
    broken = true;
    expect([await run(), warn.mock.calls.length]).toEqual([5, 2]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('calls that wait for a shared limit start by priority and can be cancelled', async () => {
  let open = false;
  const store: LimitStore = { take: () => (open ? 0 : 10), pause: () => undefined };
  const limiter = createLimiter({ shared: { store, id: 'key' } });
  const order: string[] = [];
  const control = new AbortController();
  const bulk = limiter.run(async () => void order.push('bulk'));
  const left = limiter.run(async () => void order.push('left'), { signal: control.signal }).catch((why) => why);
  const person = limiter.run(async () => void order.push('person'), { priority: 1 });
  control.abort('left');
  open = true;
  await Promise.all([bulk, person]);
  expect([order, await left]).toEqual([['person', 'bulk'], 'left']);
});

const WINDOW_MS = 60_000;

async function openFile() {
  const store = await openSqliteLimitStore(join(createFolderForTest('docshare-sqlite-limit-'), 'limit.db'));
  onTestFinished(() => void store.close());
  let starts = 0;
  const take = (id: string) =>
    Number(store.take({ id, requests: 2, windowMs: WINDOW_MS, start: `s${++starts}`, now: Date.now() }));
  return { store, take };
}

test('the starts of one key do not count for another', async () => {
  const { take } = await openFile();
  expect([take('a'), take('a'), take('b'), take('b')]).toEqual([0, 0, 0, 0]);
  expect(take('a')).toBeGreaterThan(WINDOW_MS / 2);
  expect(take('c')).toBe(0);
});

test('a pause stops only its own key, for the longest requested time, even beyond a window', async () => {
  const { store, take } = await openFile();
  for (const [ms, least, most] of [
    [20_000, 10_000, 20_000],
    [1000, 10_000, 20_000],
    [3_600_000, 3_000_000, 3_600_000],
    [-5000, 3_000_000, 3_600_000],
  ] as const) {
    await store.pause('a', Date.now() + ms);
    expect(take('a')).toBeGreaterThan(least);
    expect(take('a')).toBeLessThanOrEqual(most);
  }
  expect(take('b')).toBe(0);
});

test('a start that cannot be recorded leaves the file unlocked', async () => {
  const { store, take } = await openFile();
  const wrong = { id: {} as never, requests: 2, windowMs: WINDOW_MS, start: 's', now: 0 };
  expect(() => store.take(wrong)).toThrow();
  expect(take('a')).toBe(0);
});
