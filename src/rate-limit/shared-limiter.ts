import { MAX_PAUSE_MS } from '../retry/retry-after.ts';
import { monotonicNow, runAfter } from '../timer.ts';
import type { LimitStore } from './limit-store.ts';

export interface SharedLimit {
  readonly store: LimitStore;
  /** Names the key among others in the store. */
  readonly id: string;
}

/** Asks the store that processes share, and does without it where it fails: a limit kept alone is better than no call. */
export interface SharedLimiter {
  /** 0 where a start is booked, or the store is out of order; else the milliseconds until it should be asked again. Never rejects. */
  take(start: string): Promise<number>;
  /** The start counts from now on. */
  renew(start: string): void;
  /** Holds the other processes back, as far as the store can be reached. */
  pause(ms: number): void;
}

const STORE_TIMEOUT_MS = 2000;
/** So long a failed store is left alone. */
const STORE_COOLDOWN_MS = 10_000;

export function createSharedLimiter(
  limit: SharedLimit & { requests: number; windowMs: number },
): SharedLimiter {
  const { store, id, requests, windowMs } = limit;
  let disabledUntil = Number.NEGATIVE_INFINITY;
  let hasWarned = false;

  function disableTemporarily(): number {
    disabledUntil = monotonicNow() + STORE_COOLDOWN_MS;
    if (!hasWarned)
      process.emitWarning(
        'The store of the shared rate limit fails; this process keeps the limit alone until it answers again.',
        { type: 'DocshareWarning', code: 'DOCSHARE_LIMIT_STORE' },
      );
    hasWarned = true;
    return 0;
  }

  const request = (start: string) => ({ id, requests, windowMs, start, now: Date.now() });

  /** What this process knows by itself holds here whether or not the others hear of it. */
  function notifyStore(notify: () => void | Promise<void>): void {
    try {
      const pending = notify();
      if (pending) withTimeout(pending).catch(() => undefined);
    } catch {
      // The same.
    }
  }

  return {
    async take(start) {
      if (monotonicNow() < disabledUntil) return 0;
      try {
        const result = store.take(request(start));
        const waitMs = typeof result === 'number' ? result : await withTimeout(result);
        if (!Number.isFinite(waitMs)) return disableTemporarily();
        hasWarned = false;
        return Math.min(Math.max(0, waitMs), MAX_PAUSE_MS);
      } catch {
        return disableTemporarily();
      }
    },
    renew: (start) => notifyStore(() => store.renew?.(request(start))),
    pause: (ms) => notifyStore(() => store.pause(id, Date.now() + ms)),
  };
}

/** Rejects where a store keeps silent. */
function withTimeout<Result>(promise: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancelTimer = runAfter(STORE_TIMEOUT_MS, () => reject(new Error('The store keeps silent.')));
    // A store may bring promises of its own making.
    Promise.resolve(promise).then(resolve, reject).finally(cancelTimer);
  });
}
