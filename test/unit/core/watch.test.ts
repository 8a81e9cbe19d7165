/** What watches one attempt: it lets go of what it listened to, and hears whatever comes too late. */
import { expect, test, vi } from 'vitest';
import { createAttemptGuard } from '../../../src/timer.ts';

test.each([0, 1, 2])('the end of signal %i ends what is watched, and nothing once it is let go', (at) => {
  const controls = [new AbortController(), new AbortController(), new AbortController()];
  const signals = controls.map(({ signal }) => signal);
  const reason = new Error('enough');
  const [held, free] = [createAttemptGuard(1000, ...signals), createAttemptGuard(1000, ...signals)];
  free.release();
  controls[at]?.abort(reason);
  expect([held.signal.reason, free.signal.aborted]).toEqual([reason, false]);
  held.release();
});

test('what is asked for after the end is heard, so that its failure ends no process', async () => {
  const reason = new Error('enough');
  const watch = createAttemptGuard(1000, AbortSignal.abort(reason));
  const asked = new Promise<never>(() => undefined);
  const heard = vi.spyOn(asked, 'then');
  await expect(watch.race(asked)).rejects.toBe(reason);
  expect(heard).toHaveBeenCalledWith(expect.any(Function), expect.any(Function));
  watch.release();
});
