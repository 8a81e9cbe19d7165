/**
 * How fast starts may follow each other, learned from refusals. A service may count in bursts smaller than its
 * limit (§8 shows no behaviour): starts then come evenly spaced, and after a quiet time a little faster again.
 */
export interface Pace {
  /** Milliseconds between two starts; 0 while bursts are allowed. */
  gapMs(now: number): number;
  /** Calls that may run at once: few until the service has shown that it takes more, since all of them may be refused. */
  ceiling(): number;
  /** An answer other than a refusal came. */
  accepted(): void;
  /** A call that started at `startedAt` was refused; the refusals of one burst slow down once. */
  refused(startedAt: number, now: number): void;
}

const FIRST_CEILING = 10;
/** For each answer: little while a small burst may still show itself, more after it would have. */
const CEILING_STEP = 0.3;
const LATER_STEP = 1;
const SURE_CEILING = 20;
const MAX_SLOWDOWN = 8;
const COOLDOWN_MS = 120_000;
const MAX_COOLDOWN_MS = 1_800_000;

export function createPace(options: { requests: number; windowMs: number; concurrency: number }): Pace {
  const evenGapMs = options.windowMs / options.requests;
  let ceiling = Math.min(FIRST_CEILING, options.concurrency);
  let currentIntervalMs = 0;
  let quietMs = COOLDOWN_MS;
  let changedAt = Number.NEGATIVE_INFINITY;
  return {
    gapMs(now) {
      if (currentIntervalMs > 0 && now - changedAt >= quietMs) {
        currentIntervalMs = currentIntervalMs / 2 < evenGapMs / 4 ? 0 : currentIntervalMs / 2;
        changedAt = now;
      }
      return currentIntervalMs;
    },
    ceiling: () => Math.floor(ceiling),
    accepted() {
      if (currentIntervalMs > 0) return;
      const step = ceiling < SURE_CEILING ? CEILING_STEP : LATER_STEP;
      ceiling = Math.min(options.concurrency, ceiling + step);
    },
    refused(startedAt, now) {
      if (startedAt <= changedAt) return;
      // Faster was tried and refused: the next try comes later.
      if (currentIntervalMs > 0 && currentIntervalMs < evenGapMs)
        quietMs = Math.min(MAX_COOLDOWN_MS, quietMs * 2);
      currentIntervalMs =
        currentIntervalMs === 0 ? evenGapMs : Math.min(evenGapMs * MAX_SLOWDOWN, currentIntervalMs * 2);
      ceiling = Math.min(FIRST_CEILING, options.concurrency);
      changedAt = now;
    },
  };
}
