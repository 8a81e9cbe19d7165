const INITIAL_CONCURRENCY = 10;
/** Increase per response: small while a burst limit may still show, larger afterwards. */
const INITIAL_CONCURRENCY_STEP = 0.3;
const CONCURRENCY_STEP = 1;
const PROVEN_CONCURRENCY = 20;
const MAX_SLOWDOWN = 8;
const COOLDOWN_MS = 120_000;
const MAX_COOLDOWN_MS = 1_800_000;

export type AdaptiveRate = ReturnType<typeof createAdaptiveRate>;

/**
 * Adapts the rate of starts to rejections. A service may limit bursts below its documented limit (§8 shows no
 * behavior): starts are then evenly spaced, and speed up again after a quiet time.
 */
export function createAdaptiveRate(options: { requests: number; windowMs: number; concurrency: number }) {
  const evenIntervalMs = options.windowMs / options.requests;
  let maxConcurrency = Math.min(INITIAL_CONCURRENCY, options.concurrency);
  let currentIntervalMs = 0;
  let cooldownMs = COOLDOWN_MS;
  let changedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Milliseconds between two starts; 0 while bursts are allowed. */
    intervalMs(now: number): number {
      if (currentIntervalMs > 0 && now - changedAt >= cooldownMs) {
        currentIntervalMs = currentIntervalMs / 2 < evenIntervalMs / 4 ? 0 : currentIntervalMs / 2;
        changedAt = now;
      }
      return currentIntervalMs;
    },
    /** Maximum calls in flight: few until the service has accepted more, as all may be rejected. */
    maxConcurrency: () => Math.floor(maxConcurrency),
    /** Records a response that is not a 429. */
    onAccepted(): void {
      if (currentIntervalMs > 0) return;
      const step = maxConcurrency < PROVEN_CONCURRENCY ? INITIAL_CONCURRENCY_STEP : CONCURRENCY_STEP;
      maxConcurrency = Math.min(options.concurrency, maxConcurrency + step);
    },
    /** Records a rejection of a call started at `startedAt`; a burst slows down only once. */
    onRejected(startedAt: number, now: number): void {
      if (startedAt <= changedAt) return;
      // A faster rate was tried and rejected: the next try comes later.
      if (currentIntervalMs > 0 && currentIntervalMs < evenIntervalMs)
        cooldownMs = Math.min(MAX_COOLDOWN_MS, cooldownMs * 2);
      currentIntervalMs =
        currentIntervalMs === 0 ? evenIntervalMs : Math.min(evenIntervalMs * MAX_SLOWDOWN, currentIntervalMs * 2);
      maxConcurrency = Math.min(INITIAL_CONCURRENCY, options.concurrency);
      changedAt = now;
    },
  };
}
