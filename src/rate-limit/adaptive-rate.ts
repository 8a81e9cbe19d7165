/**
 * How fast starts may follow each other, learned from refusals. A service may count in bursts smaller than its
 * limit (§8 shows no behaviour): starts then come evenly spaced, and after a quiet time a little faster again.
 */
export interface AdaptiveRate {
  /** Milliseconds between two starts; 0 while bursts are allowed. */
  intervalMs(now: number): number;
  /** Calls that may run at once: few until the service has shown that it takes more, since all of them may be refused. */
  maxConcurrency(): number;
  /** An answer other than a refusal came. */
  onAccepted(): void;
  /** A call that started at `startedAt` was refused; the refusals of one burst slow down once. */
  onRejected(startedAt: number, now: number): void;
}

const INITIAL_CONCURRENCY = 10;
/** For each answer: little while a small burst may still show itself, more after it would have. */
const INITIAL_CONCURRENCY_STEP = 0.3;
const CONCURRENCY_STEP = 1;
const PROVEN_CONCURRENCY = 20;
const MAX_SLOWDOWN = 8;
const COOLDOWN_MS = 120_000;
const MAX_COOLDOWN_MS = 1_800_000;

export function createAdaptiveRate(options: {
  requests: number;
  windowMs: number;
  concurrency: number;
}): AdaptiveRate {
  const evenIntervalMs = options.windowMs / options.requests;
  let maxConcurrency = Math.min(INITIAL_CONCURRENCY, options.concurrency);
  let currentIntervalMs = 0;
  let cooldownMs = COOLDOWN_MS;
  let changedAt = Number.NEGATIVE_INFINITY;
  return {
    intervalMs(now) {
      if (currentIntervalMs > 0 && now - changedAt >= cooldownMs) {
        currentIntervalMs = currentIntervalMs / 2 < evenIntervalMs / 4 ? 0 : currentIntervalMs / 2;
        changedAt = now;
      }
      return currentIntervalMs;
    },
    maxConcurrency: () => Math.floor(maxConcurrency),
    onAccepted() {
      if (currentIntervalMs > 0) return;
      const step = maxConcurrency < PROVEN_CONCURRENCY ? INITIAL_CONCURRENCY_STEP : CONCURRENCY_STEP;
      maxConcurrency = Math.min(options.concurrency, maxConcurrency + step);
    },
    onRejected(startedAt, now) {
      if (startedAt <= changedAt) return;
      // Faster was tried and refused: the next try comes later.
      if (currentIntervalMs > 0 && currentIntervalMs < evenIntervalMs)
        cooldownMs = Math.min(MAX_COOLDOWN_MS, cooldownMs * 2);
      currentIntervalMs =
        currentIntervalMs === 0
          ? evenIntervalMs
          : Math.min(evenIntervalMs * MAX_SLOWDOWN, currentIntervalMs * 2);
      maxConcurrency = Math.min(INITIAL_CONCURRENCY, options.concurrency);
      changedAt = now;
    },
  };
}
