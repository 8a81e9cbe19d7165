import { monotonicNow } from '../timer.ts';

interface InFlightCall {
  readonly countsUntil: number;
  /** Index in the list; -1 once it no longer counts. */
  index: number;
}

/** Longer than rejections take. */
const IN_FLIGHT_TIMEOUT_MS = 1000;
/** For uploads and the like: their silence says little. */
const LONG_RUNNING_TIMEOUT_MS = 250;

/**
 * Limits calls without a response, since all of them may be rejected. Rejections come fast, so a call that
 * lasts longer, such as an upload, no longer counts and blocks nothing.
 */
export function createInFlightCalls(getMaxInFlight: () => number) {
  const calls: InFlightCall[] = [];

  function removeCall(call: InFlightCall): void {
    const last = calls.at(-1);
    if (call.index < 0 || !last) return;
    // The last call takes its index.
    last.index = call.index;
    calls[call.index] = last;
    calls.pop();
    call.index = -1;
  }

  return {
    /** Milliseconds until another call may start, at most. */
    waitMs(): number {
      if (calls.length < getMaxInFlight()) return 0;
      const now = monotonicNow();
      let firstExpiryAt = Number.POSITIVE_INFINITY;
      for (const call of [...calls]) {
        if (call.countsUntil <= now) removeCall(call);
        else firstExpiryAt = Math.min(firstExpiryAt, call.countsUntil);
      }
      return calls.length < getMaxInFlight() ? 0 : firstExpiryAt - now;
    },
    add(isLongRunning: boolean): InFlightCall {
      const countsUntil = monotonicNow() + (isLongRunning ? LONG_RUNNING_TIMEOUT_MS : IN_FLIGHT_TIMEOUT_MS);
      const call = { countsUntil, index: calls.length };
      calls.push(call);
      return call;
    },
    remove: removeCall,
  };
}
