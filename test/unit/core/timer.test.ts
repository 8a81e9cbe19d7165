import { getEventListeners } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  createCancellation,
  getRemainingMs,
  getSignal,
  isAbortedByCaller,
  isCancelled,
  releaseCancellation,
  startDeadline,
} from '../../../src/request/cancellation.ts';
import { createAttemptGuard, runAfter, sleep } from '../../../src/timer.ts';

beforeEach(() => void vi.useFakeTimers());

test.each<[string, (control: AbortController) => void, unknown]>([
  ['has passed', () => void vi.advanceTimersByTime(1000), undefined],
  ['is aborted', (control) => control.abort('enough'), 'enough'],
])('a wait that %s leaves no timer and no listener', async (_, end, reason) => {
  const control = new AbortController();
  const waited = sleep(1000, control.signal).catch((error: unknown) => error);
  expect([vi.getTimerCount(), getEventListeners(control.signal, 'abort').length]).toEqual([1, 1]);
  end(control);
  expect(await waited).toBe(reason);
  expect([vi.getTimerCount(), getEventListeners(control.signal, 'abort').length]).toEqual([0, 0]);
});

test.each([2_147_483_648, Number.POSITIVE_INFINITY, Number.NaN])('a wait of %d ms never ends', (ms) => {
  const act = vi.fn();
  runAfter(ms, act);
  vi.advanceTimersByTime(10_000);
  expect([act.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
});

test('a running deadline is not extended by another one, and releasing it clears its timer', () => {
  const caller = new AbortController();
  const closing = new AbortController();
  const lifetime = createCancellation(caller.signal, closing.signal);
  startDeadline(lifetime, 1000);
  const { aborted } = getSignal(lifetime);
  startDeadline(lifetime, 5000);
  expect([aborted, getRemainingMs(lifetime), vi.getTimerCount()]).toEqual([false, 1000, 1]);
  vi.advanceTimersByTime(1000);
  expect([isCancelled(lifetime), isAbortedByCaller(lifetime)]).toEqual([true, false]);
  releaseCancellation(lifetime);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([0, 1, 2])('aborting signal %i aborts the guard, but not a released guard', (at) => {
  const controls = [new AbortController(), new AbortController(), new AbortController()];
  const signals = controls.map(({ signal }) => signal);
  const reason = new Error('enough');
  const [held, free] = [createAttemptGuard(1000, ...signals), createAttemptGuard(1000, ...signals)];
  free.release();
  controls[at]?.abort(reason);
  expect([held.signal.reason, free.signal.aborted]).toEqual([reason, false]);
  held.release();
});

test('a promise raced after the abort is still handled, so that its rejection does not crash the process', async () => {
  const reason = new Error('enough');
  const watch = createAttemptGuard(1000, AbortSignal.abort(reason));
  const pending = new Promise<never>(() => undefined);
  const then = vi.spyOn(pending, 'then');
  await expect(watch.race(pending)).rejects.toBe(reason);
  expect(then).toHaveBeenCalledWith(expect.any(Function), expect.any(Function));
  watch.release();
});
