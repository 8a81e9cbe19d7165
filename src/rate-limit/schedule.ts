import { monotonicNow } from '../timer.ts';
import type { AdaptiveRate } from './adaptive-rate.ts';

/**
 * Why a call waits: `window`: the limit of §8 is reached; `pause`: a 429 asked for it; `adaptive-rate`:
 * starts are evenly spaced after a 429; `shared-limit`: other processes reached the limit or pause it;
 * `in-flight`: too many calls wait for their responses.
 */
export type WaitReason = 'window' | 'pause' | 'adaptive-rate' | 'shared-limit' | 'in-flight';

export interface Forecast {
  /** 0 means now. */
  readonly waitMs: number;
  readonly reason: WaitReason;
  /** Part of the wait that a 429 asked for, here or, if longer than a window, in another process. */
  readonly pauseMs: number;
}

export type Schedule = ReturnType<typeof createSchedule>;

/** Decides when calls may start. */
export function createSchedule(options: { requests: number; windowMs: number; adaptiveRate: AdaptiveRate }) {
  const { requests, windowMs, adaptiveRate } = options;
  /** Starts within the window, from index `oldest`. */
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

  function computeForecast(position: number, { now, storeFreeAt }: { now: number; storeFreeAt: number }): Forecast {
    removeExpiredStarts(now);
    const intervalMs = adaptiveRate.intervalMs(now);
    const pacedStartAt = intervalMs > 0 ? Math.max(now, lastStartAt + intervalMs) : now;
    const earliestAt = Math.max(pausedUntil, storeFreeAt, pacedStartAt);
    // The start `requests` positions earlier must be one window old: a past start, or a forecast one.
    const windows = Math.floor(position / requests);
    const blocking = starts.length + (position % requests) - requests;
    const windowFreeAt = blocking < oldest ? earliestAt : (starts[blocking] ?? earliestAt) + windowMs;
    const windowStartAt = Math.max(earliestAt, windowFreeAt) + windows * windowMs;
    const spacedStartAt = earliestAt + intervalMs * position;
    const pauseReason = pausedUntil >= storeFreeAt ? 'pause' : 'shared-limit';
    const earlyReason = earliestAt <= pacedStartAt ? 'adaptive-rate' : pauseReason;
    const reason = windowStartAt > spacedStartAt ? 'window' : earlyReason;
    // Other processes' starts delay this one by at most one window.
    const effectivePauseUntil = storeFreeAt - now > windowMs ? Math.max(pausedUntil, storeFreeAt) : pausedUntil;
    return {
      waitMs: Math.max(windowStartAt, spacedStartAt) - now,
      reason,
      pauseMs: Math.max(0, effectivePauseUntil - now),
    };
  }

  return {
    /** Forecasts the start of a call with `position` calls before it. */
    forecast(position: number): Forecast {
      const now = monotonicNow();
      return computeForecast(position, {
        now,
        storeFreeAt: now < nextStoreCheckAt ? storeWaitUntil : nextStoreCheckAt,
      });
    },
    /** Milliseconds until the next try. A store's delay is trusted for one window at most. */
    getWaitMs: () => computeForecast(0, { now: monotonicNow(), storeFreeAt: nextStoreCheckAt }).waitMs,
    /** Records a start. @returns its time, for `moveToNow`. */
    recordStart(): number {
      lastStartAt = monotonicNow();
      starts.push(lastStartAt);
      return lastStartAt;
    },
    /** Counts a start from now on, since the service may have counted it late. @returns now. */
    moveToNow(startedAt: number): number {
      const now = monotonicNow();
      const index = starts.indexOf(startedAt, oldest);
      if (index >= 0) starts.splice(index, 1);
      starts.push(now);
      return now;
    },
    /** Pauses starts for `ms`. @returns false if that changes nothing. */
    pauseFor(ms: number): boolean {
      const until = monotonicNow() + ms;
      if (!(until > pausedUntil)) return false;
      pausedUntil = until;
      return true;
    },
    /** Delays starts for `ms` as the shared store says, replacing its previous delay. */
    deferToStore(ms: number): void {
      const now = monotonicNow();
      storeWaitUntil = now + ms;
      nextStoreCheckAt = now + Math.min(ms, windowMs);
    },
  };
}
