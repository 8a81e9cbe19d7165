/** Time as the service sees it: limits, expiries, retries and visits all read it, and tests can move it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Moves time forward and runs, in order, everything that falls due on the way; resolves when all of it is done. */
  advance(ms: number): Promise<void>;
}

export interface RunningClock extends Clock {
  /** Runs `task` at `at` (epoch ms), or at once when that is past. Returns its cancellation. */
  schedule(at: number, task: () => Promise<void>): () => void;
  stop(): void;
}

interface Timer {
  readonly at: number;
  readonly task: () => Promise<void>;
}

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** `manual` stands still until it is advanced; `real` runs on by itself and can be advanced too. */
export function createClock(kind: 'real' | 'manual'): RunningClock {
  const startedAt = Date.now();
  const timers = new Set<Timer>();
  const running = new Set<Promise<void>>();
  let offset = 0;
  let alarm: NodeJS.Timeout | undefined;
  const now = () => (kind === 'manual' ? startedAt : Date.now()) + offset;

  function earliest(until: number): Timer | undefined {
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
  function wake(): void {
    clearTimeout(alarm);
    for (let due = earliest(now()); due; due = earliest(now())) run(due);
    const next = earliest(Number.POSITIVE_INFINITY);
    if (!next || kind === 'manual') return;
    alarm = setTimeout(wake, Math.min(next.at - now(), LONGEST_TIMEOUT_MS));
    alarm.unref();
  }

  return {
    now,
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError('The clock only moves forward: advance needs milliseconds >= 0');
      const target = now() + ms;
      for (;;) {
        // What runs now ends before time moves on: it may plan what falls due on the way.
        await Promise.all(running);
        const timer = earliest(target);
        if (timer) {
          offset += Math.max(0, timer.at - now());
          run(timer);
        } else if (running.size === 0) break;
      }
      offset += Math.max(0, target - now());
      wake();
    },
    schedule(at, task) {
      const timer = { at, task };
      timers.add(timer);
      queueMicrotask(wake);
      return () => timers.delete(timer);
    },
    stop() {
      clearTimeout(alarm);
      timers.clear();
    },
  };
}
