import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { RATE_LIMIT } from './assumptions.ts';

/** What a call sees while it stands in the queue. */
export interface Wait {
  /** Calls before this one. */
  readonly position: number;
  /** Milliseconds until it starts, as far as can be foreseen. */
  readonly waitMs: number;
}

export interface LimiterRun {
  readonly signal?: AbortSignal;
  /** Told once when the call has to wait. */
  readonly onWait?: (wait: Wait) => void;
  /** Higher starts earlier; 0 unless told. */
  readonly priority?: number;
  /** The longest wait accepted, in milliseconds. */
  readonly maxWaitMs?: number;
}

/** Thrown by `run` before anything started. */
export class LimiterWaitError extends Error {
  readonly waitMs: number;
  constructor(waitMs: number) {
    super(`The wait for the rate limit would be ${waitMs} ms`);
    this.waitMs = waitMs;
  }
}

/** At most 120 starts in any 61 s (§8), in order of priority; shared by all calls of one key at one origin. */
export interface Limiter {
  run<Result>(task: () => Promise<Result>, options?: LimiterRun): Promise<Result>;
  /** Holds every start back for `ms` from now: what a 429 asks for. */
  pause(ms: number): void;
  /** Milliseconds until a call made now would start. */
  expectedWaitMs(): number;
}

export function createLimiter(
  options: { requests?: number; windowMs?: number; concurrency?: number } = {},
): Limiter {
  const { requests = RATE_LIMIT.requests, windowMs = RATE_LIMIT.windowMs, concurrency = 8 } = options;
  const queue = new PQueue({ intervalCap: requests, interval: windowMs, strict: true, concurrency });
  const starts: number[] = [];
  let pausedUntil = 0;
  let resume: ReturnType<typeof setTimeout> | undefined;

  function expectedWaitMs(): number {
    const now = Date.now();
    const place = starts.length + queue.size;
    const turn = place < requests ? now : slotTime(place, now);
    return Math.max(0, turn - now, pausedUntil - now);
  }

  function slotTime(place: number, now: number): number {
    // The window is full: place N starts one window after the call `requests` places before it.
    const index = place - requests;
    const rounds = Math.floor(index / Math.max(1, starts.length));
    const start = starts[index % Math.max(1, starts.length)] ?? now;
    return start + windowMs * (rounds + 1);
  }

  function forget(now: number): void {
    while (starts[0] !== undefined && starts[0] <= now - windowMs) starts.shift();
  }

  return {
    async run(task, { signal, onWait, priority = 0, maxWaitMs } = {}) {
      forget(Date.now());
      const waitMs = expectedWaitMs();
      if (maxWaitMs !== undefined && waitMs > maxWaitMs) throw new LimiterWaitError(waitMs);
      if (waitMs > 0) onWait?.({ position: queue.size, waitMs });
      return queue.add(
        () => {
          starts.push(Date.now());
          return task();
        },
        { priority, ...(signal ? { signal } : {}) },
      );
    },
    pause(ms) {
      const until = Date.now() + ms;
      if (until <= pausedUntil) return;
      pausedUntil = until;
      queue.pause();
      clearTimeout(resume);
      resume = setTimeout(() => queue.start(), ms);
    },
    expectedWaitMs() {
      forget(Date.now());
      return expectedWaitMs();
    },
  };
}

const limiters = new Map<string, Limiter>();

/** The one limiter of this process for a key at an origin; the map holds a hash, never the key. */
export function sharedLimiter(apiKey: string, origin: string): Limiter {
  const id = createHash('sha256').update(`${origin}\n${apiKey}`).digest('base64');
  let limiter = limiters.get(id);
  if (!limiter) {
    limiter = createLimiter();
    limiters.set(id, limiter);
  }
  return limiter;
}
