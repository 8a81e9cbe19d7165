import { randomBytes } from 'node:crypto';
import { monotonicNow, runAfter } from '../timer.ts';
import type { Schedule } from './schedule.ts';
import type { SharedLimiter } from './shared-limiter.ts';

/** Less than the 0.9 s by which the window exceeds the service's (see RATE_LIMIT). */
const MAX_LATENCY_MS = 800;

/**
 * Decides when starts count. The service counts a call between its start and its response, which may be far
 * apart on a busy machine. A start whose response takes longer than the window's slack counts again from then
 * on, so later calls don't come too close.
 */
export function createStartWindow(options: { schedule: Schedule; sharedLimiter: SharedLimiter | undefined }) {
  const { schedule, sharedLimiter } = options;
  // Short: a store holds 120 of these names per key.
  const processId = randomBytes(9).toString('base64url');
  let count = 0;
  let bookedStart: { readonly name: string; readonly startedAt: number } | undefined;

  return {
    /** Books the next start in the store; returns 0, or the milliseconds to wait. */
    async requestStartFromStore(): Promise<number> {
      count += 1;
      const requestedStart = { name: `${processId}-${count.toString(36)}`, startedAt: monotonicNow() };
      const waitMs = (await sharedLimiter?.take(requestedStart.name)) ?? 0;
      bookedStart = waitMs > 0 ? undefined : requestedStart;
      return waitMs;
    },
    /** Starts a call with the last booking. @returns a function to call on its response. */
    startCall(): () => void {
      const ownStart = bookedStart;
      bookedStart = undefined;
      let startedAt = schedule.recordStart();
      let countedAt = ownStart?.startedAt ?? startedAt;
      const renew = () => {
        startedAt = schedule.moveToNow(startedAt);
        countedAt = startedAt;
        if (ownStart) sharedLimiter?.renew(ownStart.name);
      };
      let cancelRenewal = () => {};
      // Other processes must know about it if this one ends before the response.
      const scheduleRenewal = (ms: number) => {
        cancelRenewal = runAfter(ms, () => {
          renew();
          scheduleRenewal(2 * ms);
        });
      };
      if (ownStart) scheduleRenewal(MAX_LATENCY_MS);
      return () => {
        cancelRenewal();
        if (monotonicNow() - countedAt > MAX_LATENCY_MS) renew();
      };
    },
  };
}
