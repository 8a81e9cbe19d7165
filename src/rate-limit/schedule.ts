import { monotonicNow } from '../timer.ts';
import type { AdaptiveRate } from './adaptive-rate.ts';

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
  /** A call starts now. @returns the moment, as `moveToNow` knows it. */
  recordStart(): number;
  /** What started at `startedAt` counts from now on: its answer came late, and nobody knows when it was counted. @returns now. */
  moveToNow(startedAt: number): number;
  /** Nothing starts for `ms` from now. @returns false where that changes nothing. */
  pauseFor(ms: number): boolean;
  /** The store that processes share lets nobody start for `ms` from now: in place of what it said before. */
  deferToStore(ms: number): void;
  /** Milliseconds until a start is to be tried. What the store said is not trusted for longer than a window. */
  getWaitMs(): number;
}

export function createSchedule(options: {
  requests: number;
  windowMs: number;
  adaptiveRate: AdaptiveRate;
}): Schedule {
  const { requests, windowMs, adaptiveRate } = options;
  /** From `oldest` on the starts within the window. */
  let starts: number[] = [];
  let oldest = 0;
  let lastStartAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let storeWaitUntil = Number.NEGATIVE_INFINITY;
  let nextStoreCheckAt = Number.NEGATIVE_INFINITY;

  function removeExpiredStarts(now: number): void {
    while ((starts[oldest] ?? now) <= now - windowMs) oldest += 1;
    if (oldest <= starts.length / 2) return;
    starts = starts.slice(oldest);
    oldest = 0;
  }

  function computeForecast(
    position: number,
    { now, storeFreeAt }: { now: number; storeFreeAt: number },
  ): Forecast {
    removeExpiredStarts(now);
    const intervalMs = adaptiveRate.intervalMs(now);
    const pacedStartAt = intervalMs > 0 ? Math.max(now, lastStartAt + intervalMs) : now;
    const earliestAt = Math.max(pausedUntil, storeFreeAt, pacedStartAt);
    // The start `requests` places before it must be one window old: a known one, or one foreseen by the same rule.
    const windows = Math.floor(position / requests);
    const blocking = starts.length + (position % requests) - requests;
    const windowFreeAt = blocking < oldest ? earliestAt : (starts[blocking] ?? earliestAt) + windowMs;
    const windowStartAt = Math.max(earliestAt, windowFreeAt) + windows * windowMs;
    const spacedStartAt = earliestAt + intervalMs * position;
    const pauseReason = pausedUntil >= storeFreeAt ? 'pause' : 'processes';
    const reason =
      windowStartAt > spacedStartAt ? 'window' : earliestAt <= pacedStartAt ? 'pace' : pauseReason;
    // The others' own starts keep nobody waiting for longer than a window.
    const effectivePauseUntil =
      storeFreeAt - now > windowMs ? Math.max(pausedUntil, storeFreeAt) : pausedUntil;
    return {
      waitMs: Math.max(windowStartAt, spacedStartAt) - now,
      reason,
      pauseMs: Math.max(0, effectivePauseUntil - now),
    };
  }

  return {
    forecast(position) {
      const now = monotonicNow();
      return computeForecast(position, {
        now,
        storeFreeAt: now < nextStoreCheckAt ? storeWaitUntil : nextStoreCheckAt,
      });
    },
    getWaitMs: () => computeForecast(0, { now: monotonicNow(), storeFreeAt: nextStoreCheckAt }).waitMs,
    recordStart() {
      lastStartAt = monotonicNow();
      starts.push(lastStartAt);
      return lastStartAt;
    },
    moveToNow(startedAt) {
      const now = monotonicNow();
      const index = starts.indexOf(startedAt, oldest);
      if (index >= 0) starts.splice(index, 1);
      starts.push(now);
      return now;
    },
    pauseFor(ms) {
      const until = monotonicNow() + ms;
      if (!(until > pausedUntil)) return false;
      pausedUntil = until;
      return true;
    },
    deferToStore(ms) {
      const now = monotonicNow();
      storeWaitUntil = now + ms;
      nextStoreCheckAt = now + Math.min(ms, windowMs);
    },
  };
}
