import { monotonicNow } from '../timer.ts';

/**
 * How many calls may be out without an answer: all of them may be refused. A refusal comes soon, so that one that lasts
 * longer, such as an upload or a call that hangs, no longer counts and keeps nobody from starting.
 */
export interface InFlightCalls {
  /** Milliseconds until another may start, at the latest. */
  waitMs(): number;
  add(isLongRunning: boolean): InFlightCall;
  remove(call: InFlightCall): void;
}

export interface InFlightCall {
  readonly countsUntil: number;
  /** Its place among the others; -1 once it no longer counts. */
  index: number;
}

/** Longer than refusals take. */
const IN_FLIGHT_TIMEOUT_MS = 1000;
/** For a call that takes long by its nature: its silence says little. */
const LONG_RUNNING_TIMEOUT_MS = 250;

export function createInFlightCalls(getMaxInFlight: () => number): InFlightCalls {
  const calls: InFlightCall[] = [];

  function removeCall(call: InFlightCall): void {
    const last = calls.at(-1);
    if (call.index < 0 || !last) return;
    // The last one moves into its place.
    last.index = call.index;
    calls[call.index] = last;
    calls.pop();
    call.index = -1;
  }

  return {
    waitMs() {
      if (calls.length < getMaxInFlight()) return 0;
      const now = monotonicNow();
      let firstExpiryAt = Number.POSITIVE_INFINITY;
      for (const call of [...calls]) {
        if (call.countsUntil <= now) removeCall(call);
        else firstExpiryAt = Math.min(firstExpiryAt, call.countsUntil);
      }
      return calls.length < getMaxInFlight() ? 0 : firstExpiryAt - now;
    },
    add(isLongRunning) {
      const countsUntil = monotonicNow() + (isLongRunning ? LONG_RUNNING_TIMEOUT_MS : IN_FLIGHT_TIMEOUT_MS);
      const call = { countsUntil, index: calls.length };
      calls.push(call);
      return call;
    },
    remove: removeCall,
  };
}
