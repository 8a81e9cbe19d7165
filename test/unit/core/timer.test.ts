/** Waits that leave nothing behind, whichever way they end. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCancellation, runAfter, sleep } from '../../../src/timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each<[string, (control: AbortController) => void, unknown]>([
  ['is over', () => void vi.advanceTimersByTime(1000), undefined],
  ['is ended', (control) => control.abort('enough'), 'enough'],
])('a wait that %s leaves no timer and no listener', async (_, end, reason) => {
  const control = new AbortController();
  const waited = sleep(1000, control.signal).catch((error: unknown) => error);
  expect([vi.getTimerCount(), getEventListeners(control.signal, 'abort').length]).toEqual([1, 1]);
  end(control);
  expect(await waited).toBe(reason);
  expect([vi.getTimerCount(), getEventListeners(control.signal, 'abort').length]).toEqual([0, 0]);
});

test.each([2_147_483_648, Number.POSITIVE_INFINITY, Number.NaN])('a wait of %d ms is never over', (ms) => {
  const act = vi.fn();
  runAfter(ms, act);
  vi.advanceTimersByTime(10_000);
  expect([act.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
});

test('a deadline that runs is not put off by another, and its end lets go of all', () => {
  const caller = new AbortController();
  const closing = new AbortController();
  const lifetime = createCancellation(caller.signal, closing.signal);
  lifetime.startDeadline(1000);
  const { aborted } = lifetime.signal();
  lifetime.startDeadline(5000);
  expect([aborted, lifetime.remainingMs(), vi.getTimerCount()]).toEqual([false, 1000, 1]);
  vi.advanceTimersByTime(1000);
  expect([lifetime.isCancelled(), lifetime.isAbortedByCaller()]).toEqual([true, false]);
  lifetime.dispose();
  expect(vi.getTimerCount()).toBe(0);
});
