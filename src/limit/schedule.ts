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
  /** The part of it that was asked for: a refusal's pause, here or, where it is longer than a window, in another process. */
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
  hold(ms: number): boolean;
  /** The store that processes share lets nobody start for `ms` from now: in place of what it said before. */
  standBack(ms: number): void;
  /** Milliseconds until a start is to be tried. What the store said is not trusted for longer than a window. */
  dueMs(): number;
}

export function createSchedule(options: { requests: number; windowMs: number; pace: Pace }): Schedule {
  const { requests, windowMs, pace } = options;
  /** From `oldest` on the starts within the window. */
  let starts: number[] = [];
  let oldest = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let othersUntil = Number.NEGATIVE_INFINITY;
  let askAt = Number.NEGATIVE_INFINITY;

  function forget(now: number): void {
    while ((starts[oldest] ?? now) <= now - windowMs) oldest += 1;
    if (oldest <= starts.length / 2) return;
    starts = starts.slice(oldest);
    oldest = 0;
  }

  function foresee(position: number, { now, freedAt }: { now: number; freedAt: number }): Forecast {
    forget(now);
    const gapMs = pace.gapMs(now);
    const pacedAt = gapMs > 0 ? Math.max(now, lastAt + gapMs) : now;
    const base = Math.max(heldUntil, freedAt, pacedAt);
    // The start `requests` places before it must be one window old: a known one, or one foreseen by the same rule.
    const windows = Math.floor(position / requests);
    const blocking = starts.length + (position % requests) - requests;
    const freeAt = blocking < oldest ? base : (starts[blocking] ?? base) + windowMs;
    const windowAt = Math.max(base, freeAt) + windows * windowMs;
    const heldAt = base + gapMs * position;
    const held = heldUntil >= freedAt ? 'pause' : 'processes';
    const reason = windowAt > heldAt ? 'window' : base <= pacedAt ? 'pace' : held;
    // The others' own starts keep nobody waiting for longer than a window.
    const pausedUntil = freedAt - now > windowMs ? Math.max(heldUntil, freedAt) : heldUntil;
    return { waitMs: Math.max(windowAt, heldAt) - now, reason, pauseMs: Math.max(0, pausedUntil - now) };
  }

  return {
    forecast(position) {
      const now = steadyNow();
      return foresee(position, { now, freedAt: now < askAt ? othersUntil : askAt });
    },
    dueMs: () => foresee(0, { now: steadyNow(), freedAt: askAt }).waitMs,
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
    hold(ms) {
      const until = steadyNow() + ms;
      if (!(until > heldUntil)) return false;
      heldUntil = until;
      return true;
    },
    standBack(ms) {
      const now = steadyNow();
      othersUntil = now + ms;
      askAt = now + Math.min(ms, windowMs);
    },
  };
}
