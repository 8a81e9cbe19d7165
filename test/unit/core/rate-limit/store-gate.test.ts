/** A store of the shared limit that fails: what is done without it, for how long, and how often a person hears of it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSharedLimiter } from '../../../../src/rate-limit/shared-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a store that fails is left alone for ten seconds, and each time that it begins to fail is told once', async () => {
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let isAway = true;
  let asked = 0;
  const take = () => {
    asked += 1;
    if (isAway) throw new Error('away');
    return 7;
  };
  const store = { take, pause: () => undefined };
  const gate = createSharedLimiter({ store, id: 'key', requests: 1, windowMs: 1000 });
  expect(await gate.take('a')).toBe(0);
  await vi.advanceTimersByTimeAsync(9_900);
  expect([await gate.take('b'), asked]).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(200);
  expect([await gate.take('c'), asked, warnings.mock.calls.length]).toEqual([0, 2, 1]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(10_100);
  expect([await gate.take('d'), asked]).toEqual([7, 3]);
  isAway = true;
  expect(await gate.take('e')).toBe(0);
  expect(warnings).toHaveBeenCalledTimes(2);
});

test.each<[string, () => Promise<number>]>([
  ['answers', async () => 7],
  ['fails', () => Promise.reject(new Error('away'))],
])('a store that %s in time leaves no timer that would keep the process alive', async (_, take) => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const told: string[] = [];
  const renew = async () => void told.push('renew');
  const pause = async () => void told.push('pause');
  const gate = createSharedLimiter({ store: { take, renew, pause }, id: 'key', requests: 1, windowMs: 1000 });
  await gate.take('a');
  gate.renew('a');
  gate.pause(5000);
  await vi.advanceTimersByTimeAsync(0);
  expect([told, vi.getTimerCount()]).toEqual([['renew', 'pause'], 0]);
});
