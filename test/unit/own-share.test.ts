/** What servers may start while nobody counts for all of them. In virtual time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLocalQuotas } from '../../mcp/state/local-quota.ts';
import { createRandom } from '../support/random.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limit = { id: 'key', requests: 120, windowMs: 60_900 };

function mostInAWindow(starts: readonly number[]): number {
  return Math.max(
    ...starts.map((at) => starts.filter((one) => one >= at && one < at + limit.windowMs).length),
  );
}

test('however unevenly they used the limit before, together they stay within it, and all of them go on', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const servers = Array.from({ length: 4 }, () => createLocalQuotas());
    const weights = servers.map(() => random() ** 3);
    const starts: number[] = [];
    let count = 0;
    const next = () => ({ ...limit, start: String(++count) });
    // Together, until the carrier is lost after ten to seventy seconds.
    const lostAt = performance.now() + 10_000 + random() * 60_000;
    while (performance.now() < lostAt) {
      const inAll = starts.filter((at) => at > performance.now() - limit.windowMs).length;
      const lot = random() * weights.reduce((sum, one) => sum + one, 0);
      const upTo = (index: number) => weights.slice(0, index + 1).reduce((sum, one) => sum + one, 0);
      const server = servers[weights.findIndex((_, index) => upTo(index) >= lot)];
      if (inAll < limit.requests && random() < 0.3) {
        server?.booked(next(), inAll + 1);
        starts.push(performance.now());
      }
      vi.advanceTimersByTime(100);
    }
    const inAll = starts.filter((at) => at > performance.now() - limit.windowMs).length;
    for (const server of servers) server.heard(next(), inAll);
    // Each alone, as much as it may.
    const alone = servers.map(() => 0);
    let longest = 0;
    for (let tenth = 0; tenth < 2000; tenth++) {
      for (const [index, server] of servers.entries()) {
        const waitMs = server.takeAlone(next(), { replicas: servers.length, lostAt });
        longest = Math.max(longest, waitMs);
        if (waitMs > 0) continue;
        starts.push(performance.now());
        alone[index] = (alone[index] ?? 0) + 1;
      }
      vi.advanceTimersByTime(100);
    }
    expect(longest).toBeLessThanOrEqual(limit.windowMs);
    expect(mostInAWindow(starts)).toBeLessThanOrEqual(limit.requests);
    for (const own of alone) expect(own).toBeGreaterThanOrEqual(60);
  }
});

test('a key that nobody used lately is each server’s own share at once', () => {
  const server = createLocalQuotas();
  const taken = Array.from({ length: 40 }, (_, start) =>
    server.takeAlone({ ...limit, start: String(start) }, { replicas: 4, lostAt: performance.now() }),
  );
  expect(taken.filter((waitMs) => waitMs === 0)).toHaveLength(30);
});

test('a place that fell free just before the carrier was lost is not taken again: another may have had it', () => {
  const server = createLocalQuotas();
  const take = (start: string, lostAt: number) =>
    server.takeAlone({ ...limit, start }, { replicas: 4, lostAt });
  for (let start = 0; start < 5; start++) server.booked({ ...limit, start: `early ${start}` }, 100);
  vi.advanceTimersByTime(30_000);
  for (let start = 0; start < 3; start++) server.booked({ ...limit, start: `late ${start}` }, limit.requests);
  vi.advanceTimersByTime(31_000);
  const lostAt = performance.now();
  expect(take('one', lostAt)).toBeGreaterThan(0);
  vi.advanceTimersByTime(30_000);
  const waits = ['two', 'three', 'four', 'five'].map((start) => take(start, lostAt));
  expect(waits.map((waitMs) => waitMs === 0)).toEqual([true, true, true, false]);
  // All that was before the loss is history a window after it.
  vi.advanceTimersByTime(limit.windowMs);
  expect(Array.from({ length: 30 }, (_, start) => take(`then ${start}`, lostAt))).toEqual(Array(30).fill(0));
});

test('a limit that nobody uses here is listened to for an hour, and then let go', () => {
  const server = createLocalQuotas();
  server.booked({ ...limit, start: 'one' }, 1);
  const beat = (ms: number) => {
    for (let at = 0; at < ms; at += 2000) {
      vi.advanceTimersByTime(2000);
      for (const request of server.inUse(1000)) server.overheard(request, limit.requests);
    }
  };
  beat(3_500_000);
  expect(server.inUse(1000).map(({ id }) => id)).toEqual(['key']);
  // What it overheard counts: the others use all of it.
  expect(
    server.takeAlone({ ...limit, start: 'two' }, { replicas: 4, lostAt: performance.now() }),
  ).toBeGreaterThan(0);
  beat(3_700_000);
  expect(server.inUse(1000)).toEqual([]);
  server.overheard({ ...limit, start: 'two' }, 1);
  expect(server.inUse(1000)).toEqual([]);
});

test('of more limits than can be listened to, those that were used last are', () => {
  const server = createLocalQuotas();
  for (const id of ['a', 'b', 'c', 'a']) {
    server.heard({ ...limit, id, start: 'one' }, 1);
    vi.advanceTimersByTime(1000);
  }
  expect(server.inUse(2).map(({ id }) => id)).toEqual(['a', 'c']);
});
