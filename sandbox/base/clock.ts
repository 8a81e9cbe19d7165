/** Time as the service sees it: limits, expiries, retries and visits all read it, and tests can move it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Moves time forward and runs, in order, everything that falls due on the way; resolves when all of it is done.
   *
   * @throws RangeError for less than 0 ms and for more than leads to the year 9999
   */
  advance(ms: number): Promise<void>;
}

export interface RunningClock extends Clock {
  /** Runs `task` at `at` (epoch ms), or at once when that is past. Returns its cancellation. */
  schedule(at: number, task: () => Promise<void>): () => void;
  /** Sets the time, back to the start where none is given, and forgets what was planned. */
  set(at?: number): void;
  /** Where it stands, or how far it is from the machine's time. */
  getState(): ClockState;
  /** Goes on from there. */
  restoreState(saved: ClockState): void;
  stop(): void;
}

export interface ClockState {
  readonly kind: 'real' | 'manual';
  readonly offset: number;
}

interface Timer {
  readonly at: number;
  readonly task: () => Promise<void>;
}

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Dates beyond the year 9999 have another written form, and end somewhere; what is due in a year still fits. */
export const MAX_TIMESTAMP = Date.UTC(9999, 0, 1);

/**
 * `manual` stands still until it is advanced; `real` runs on by itself and can be advanced too. Both start `at` a moment,
 * or now.
 */
export function createClock(input: { kind: 'real' | 'manual'; at?: number | undefined }): RunningClock {
  const { kind } = input;
  const timers = new Set<Timer>();
  const running = new Set<Promise<void>>();
  const startedAt = Date.now();
  /** What has to be added to the machine's time, or for a clock that stands still, its time. */
  let offset = 0;
  let wakeTimer: NodeJS.Timeout | undefined;
  let generation = 0;
  const now = () => (kind === 'manual' ? offset : Date.now() + offset);

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

  /** Takes a timer out before it runs, so that no two wake-ups can run it. */
  function run(timer: Timer): void {
    timers.delete(timer);
    const work = timer.task().finally(() => running.delete(work));
    running.add(work);
  }

  /** Starts all that is due at once: a slow task holds up no other. */
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
    getState: () => ({ kind, offset }),
    restoreState: (saved) => set(saved.offset + (saved.kind === 'real' ? Date.now() : 0)),
    async advance(ms) {
      // A text would be hung on to the time.
      if (!(typeof ms === 'number' && ms >= 0))
        throw new RangeError('The clock only moves forward: advance needs milliseconds >= 0');
      const target = now() + ms;
      if (target > MAX_TIMESTAMP) throw new RangeError('The clock ends with the year 9998: advance by less');
      const startGeneration = generation;
      for (;;) {
        // What runs now ends before time moves on: it may plan what falls due on the way.
        await Promise.all(running);
        // A reset meanwhile has set another time: it stays.
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
    schedule(at, task) {
      const timer = { at, task };
      timers.add(timer);
      queueMicrotask(runDueTimers);
      return () => timers.delete(timer);
    },
    stop() {
      clearTimeout(wakeTimer);
      timers.clear();
    },
  };
}
