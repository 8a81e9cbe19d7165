/** The service's clock: rate limits, expiries, retries and visits use it, and tests can move it. */
export type RunningClock = ReturnType<typeof createClock>;
export type Clock = Pick<RunningClock, 'now' | 'advance'>;

export interface ClockState {
  readonly kind: 'real' | 'manual';
  readonly offset: number;
}

interface Timer {
  readonly at: number;
  readonly task: () => Promise<void>;
}

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Dates after the year 9999 have a different ISO format, and JavaScript dates end somewhere. */
export const MAX_TIMESTAMP = Date.UTC(9999, 0, 1);

/**
 * Creates a clock that starts at `at` (default: now). A `manual` clock moves only by `advance`; a `real` one also runs.
 */
export function createClock(input: { kind: 'real' | 'manual'; at?: number | undefined }) {
  const { kind } = input;
  const timers = new Set<Timer>();
  const running = new Set<Promise<void>>();
  const startedAt = Date.now();
  /** Added to the system time; for a manual clock, the time itself. */
  let offset = 0;
  let wakeTimer: NodeJS.Timeout | undefined;
  let generation = 0;
  const now = (): number => (kind === 'manual' ? offset : Date.now() + offset);

  /** Sets the time (default: the start time) and cancels all scheduled tasks. */
  function set(at?: number): void {
    generation += 1;
    clearTimeout(wakeTimer);
    timers.clear();
    const start = at ?? input.at;
    if (kind === 'manual') offset = start ?? startedAt;
    else offset = start === undefined ? 0 : start - Date.now();
  }

  function findNextTimer(until: number): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of timers) if (timer.at <= until && (!found || timer.at < found.at)) found = timer;
    return found;
  }

  /** Removes the timer first, so that two wake-ups can't run it twice. */
  function run(timer: Timer): void {
    timers.delete(timer);
    const work = timer.task().finally(() => running.delete(work));
    running.add(work);
  }

  /** Starts everything that is due at once: a slow task doesn't delay the others. */
  function runDueTimers(): void {
    clearTimeout(wakeTimer);
    for (let due = findNextTimer(now()); due; due = findNextTimer(now())) run(due);
    const next = findNextTimer(Number.POSITIVE_INFINITY);
    if (!next || kind === 'manual') return;
    wakeTimer = setTimeout(runDueTimers, Math.min(next.at - now(), MAX_TIMEOUT_MS));
    wakeTimer.unref();
  }

  set();
  return {
    now,
    set,
    getState: (): ClockState => ({ kind, offset }),
    restoreState: (saved: ClockState) => set(saved.offset + (saved.kind === 'real' ? Date.now() : 0)),
    /**
     * Moves time forward and runs everything that becomes due, in order. Resolves when all of it is done.
     *
     * @throws RangeError if `ms` is negative or the time would pass the year 9998
     */
    async advance(ms: number): Promise<void> {
      // A string would be concatenated to the time.
      if (!(typeof ms === 'number' && ms >= 0))
        throw new RangeError('The clock only moves forward: advance needs milliseconds (0 or more)');
      const target = now() + ms;
      if (target > MAX_TIMESTAMP) throw new RangeError("The clock can't pass the year 9998: advance by less");
      const startGeneration = generation;
      for (;;) {
        // Running tasks finish before time moves on: they may schedule more.
        await Promise.all(running);
        // A reset in the meantime has set another time.
        if (generation !== startGeneration) return;
        const timer = findNextTimer(target);
        if (timer) {
          offset += Math.max(0, timer.at - now());
          run(timer);
        } else if (running.size === 0) break;
      }
      offset += Math.max(0, target - now());
      runDueTimers();
    },
    /** Runs `task` at `at` (epoch ms), or immediately if that has passed. Returns a function that cancels it. */
    schedule(at: number, task: () => Promise<void>): () => void {
      const timer = { at, task };
      timers.add(timer);
      queueMicrotask(runDueTimers);
      return () => timers.delete(timer);
    },
    stop(): void {
      clearTimeout(wakeTimer);
      timers.clear();
    },
  };
}
