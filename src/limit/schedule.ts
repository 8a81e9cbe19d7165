import { steadyNow } from '../timer.ts';
import type { Pace } from './pace.ts';

/**
 * What a call waits for: `window`: the limit of §8 is used up; `pause`: a refusal asked for it; `pace`: starts come
 * evenly spaced since a refusal; `processes`: others that share the limit have used it up, or hold it back; `answers`: as many
 * calls as may be are out without an answer.
 */
export type WaitReason = 'window' | 'pause' | 'pace' | 'processes' | 'answers';

export interface Forecast {
  /** 0: now. */
  readonly waitMs: number;
  readonly reason: WaitReason;
  /** The part of it that was asked for: a refusal's pause, here or in another process. */
  readonly pauseMs: number;
}

/** The one place that knows when starts are allowed. */
export interface Schedule {
  /** When a call with `position` calls before it may start. */
  forecast(position: number): Forecast;
  /** A call starts now. @returns the moment, as `renew` knows it. */
  book(): number;
  /** What started at `at` counts from now on: its answer came late, and nobody knows when it was counted. @returns now. */
  renew(at: number): number;
  /** Nothing starts for `ms` from now. @returns false where that changes nothing. */
  hold(ms: number, reason: WaitReason): boolean;
}

export function createSchedule(options: { requests: number; windowMs: number; pace: Pace }): Schedule {
  const { requests, windowMs, pace } = options;
  /** From `oldest` on the starts within the window. */
  let starts: number[] = [];
  let oldest = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let heldFor: WaitReason = 'pause';

  function forget(now: number): void {
    while ((starts[oldest] ?? now) <= now - windowMs) oldest += 1;
    if (oldest <= starts.length / 2) return;
    starts = starts.slice(oldest);
    oldest = 0;
  }

  return {
    forecast(position) {
      const now = steadyNow();
      forget(now);
      const gapMs = pace.gapMs(now);
      const pacedUntil = gapMs > 0 ? lastAt + gapMs : now;
      const base = Math.max(now, heldUntil, pacedUntil);
      // The start `requests` places before it must be one window old: a known one, or one foreseen by the same rule.
      const windows = Math.floor(position / requests);
      const blocking = starts.length + (position % requests) - requests;
      const freeAt = blocking < oldest ? base : (starts[blocking] ?? base) + windowMs;
      const windowAt = Math.max(base, freeAt) + windows * windowMs;
      const heldAt = base + gapMs * position;
      const reason = windowAt > heldAt ? 'window' : pacedUntil >= heldUntil ? 'pace' : heldFor;
      return { waitMs: Math.max(windowAt, heldAt) - now, reason, pauseMs: Math.max(0, heldUntil - now) };
    },
    book() {
      lastAt = steadyNow();
      starts.push(lastAt);
      return lastAt;
    },
    renew(at) {
      const now = steadyNow();
      const index = starts.indexOf(at, oldest);
      if (index >= 0) starts.splice(index, 1);
      starts.push(now);
      return now;
    },
    hold(ms, reason) {
      const until = steadyNow() + ms;
      if (!(until > heldUntil)) return false;
      heldUntil = until;
      heldFor = reason;
      return true;
    },
  };
}
