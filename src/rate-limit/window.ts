import { randomBytes } from 'node:crypto';
import { monotonicNow, runAfter } from '../timer.ts';
import type { Schedule } from './schedule.ts';
import type { SharedLimiter } from './shared-limiter.ts';

/**
 * When starts count. The service counts a call somewhere between its start and its answer, and on a busy machine these
 * lie far apart: a start whose answer takes longer than the window has slack for counts anew from then on, so that
 * nothing that follows comes too close to it.
 */
export interface StartWindow {
  /** Books the next start in the store; 0, or the milliseconds until it should be asked again. */
  requestStartFromStore(): Promise<number>;
  /** A call starts now, with what the store booked last. @returns what to call when its answer is there. */
  startCall(): () => void;
}

/** Less than the 0.9 s by which the window is longer than the service's (see RATE_LIMIT). */
const MAX_LATENCY_MS = 800;

export function createStartWindow(options: {
  schedule: Schedule;
  sharedLimiter: SharedLimiter | undefined;
}): StartWindow {
  const { schedule, sharedLimiter } = options;
  // Short: a store holds 120 of these names for each key.
  const processId = randomBytes(9).toString('base64url');
  let count = 0;
  let bookedStart: { readonly name: string; readonly startedAt: number } | undefined;

  return {
    async requestStartFromStore() {
      count += 1;
      const requestedStart = { name: `${processId}-${count.toString(36)}`, startedAt: monotonicNow() };
      const waitMs = (await sharedLimiter?.take(requestedStart.name)) ?? 0;
      bookedStart = waitMs > 0 ? undefined : requestedStart;
      return waitMs;
    },
    startCall() {
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
      // Others must know it of a process that ends before its answer comes.
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
