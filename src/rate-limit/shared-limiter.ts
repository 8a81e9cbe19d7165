import { MAX_PAUSE_MS } from '../retry/retry-after.ts';
import { monotonicNow, runAfter } from '../timer.ts';
import type { LimitStore } from './limit-store.ts';

export interface SharedLimit {
  readonly store: LimitStore;
  /** Identifies the key in the store. */
  readonly id: string;
}

const STORE_TIMEOUT_MS = 2000;
const STORE_COOLDOWN_MS = 10_000;

export type SharedLimiter = ReturnType<typeof createSharedLimiter>;

/** Uses the shared store, and works without it if it fails: a process-local limit is better than no call. */
export function createSharedLimiter(limit: SharedLimit & { requests: number; windowMs: number }) {
  const { store, id, requests, windowMs } = limit;
  let disabledUntil = Number.NEGATIVE_INFINITY;
  let hasWarned = false;

  function disableTemporarily(): number {
    disabledUntil = monotonicNow() + STORE_COOLDOWN_MS;
    if (!hasWarned)
      process.emitWarning(
        'The store of the shared rate limit failed. This process limits itself until the store works again.',
        { type: 'DocshareWarning', code: 'DOCSHARE_LIMIT_STORE' },
      );
    hasWarned = true;
    return 0;
  }

  const request = (start: string) => ({ id, requests, windowMs, start, now: Date.now() });

  /** The local limit applies whether or not the others are notified. */
  function notifyStore(notify: () => void | Promise<void>): void {
    try {
      const pending = notify();
      if (pending) withTimeout(pending).catch(() => undefined);
    } catch {
      // See above.
    }
  }

  return {
    /** 0 if a start is booked or the store is unavailable, otherwise milliseconds to wait. Never rejects. */
    async take(start: string): Promise<number> {
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
    /** Counts the start from now on. */
    renew: (start: string) => notifyStore(() => store.renew?.(request(start))),
    /** Pauses the other processes, if the store is reachable. */
    pause: (ms: number) => notifyStore(() => store.pause(id, Date.now() + ms)),
  };
}

function withTimeout<Result>(promise: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancelTimer = runAfter(STORE_TIMEOUT_MS, () => reject(new Error('The store timed out.')));
    // A store may return thenables.
    Promise.resolve(promise).then(resolve, reject).finally(cancelTimer);
  });
}
