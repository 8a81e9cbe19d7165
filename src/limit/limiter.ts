import PQueue from 'p-queue';
import { RATE_LIMIT } from '../assumptions/index.ts';
import { after } from '../timer.ts';
import type { LimitStore } from './limit-store.ts';
import { createPace } from './pace.ts';
import { expectedStart } from './schedule.ts';

/** What a call sees while it stands in the queue. */
export interface Wait {
  /** Calls before this one. */
  readonly position: number;
  /** Milliseconds until it starts, as far as can be foreseen. */
  readonly waitMs: number;
}

export interface LimiterRun {
  /** Ends the wait with its own reason and frees the place; a task that already runs has to heed it itself. */
  readonly signal?: AbortSignal;
  /** Told when the call has to wait, and again when a pause makes the wait longer. */
  readonly onWait?: (wait: Wait) => void;
  /** Higher starts earlier; 0 unless told. */
  readonly priority?: number;
  /** The longest wait accepted, in milliseconds. */
  readonly maxWaitMs?: number;
}

/** Thrown by `run` before its task started. */
export class LimiterWaitError extends Error {
  readonly waitMs: number;
  constructor(waitMs: number) {
    super(`The wait for the rate limit would be ${waitMs} ms`);
    this.waitMs = waitMs;
  }
}

/** At most 120 starts in any 60.9 s (§8), in order of priority; shared by all calls of one key at one origin. */
export interface Limiter {
  /** @throws LimiterWaitError where the wait is, or becomes, longer than `maxWaitMs`. */
  run<Result>(task: () => Promise<Result>, options?: LimiterRun): Promise<Result>;
  /**
   * Holds every start back for `ms` from now: what a 429 asks for. Later starts come evenly spaced for some minutes.
   * @param startedAt Unix time in milliseconds at which the refused call started: one burst slows down only once.
   */
  pause(ms: number, startedAt?: number): void;
  /** Milliseconds until a call made now would start. */
  expectedWaitMs(): number;
}

export interface LimiterOptions {
  readonly requests?: number;
  readonly windowMs?: number;
  /** The most calls at once; a new limiter begins with 10 and adds to them as answers come. */
  readonly concurrency?: number;
  /** Counts the starts of several processes together; `id` names the key among others in it. */
  readonly shared?: { readonly store: LimitStore; readonly id: string };
  /** Told of every start. */
  readonly onStart?: () => void;
}

/** A call that waits. */
interface Place {
  readonly priority: number;
  /** When its longest wait is over. */
  readonly giveUpAt: number;
  readonly leave: (reason: unknown) => void;
  readonly tell: () => void;
}

export function createLimiter(options: LimiterOptions = {}): Limiter {
  const {
    requests = RATE_LIMIT.requests,
    windowMs = RATE_LIMIT.windowMs,
    concurrency = 40,
    shared,
  } = options;
  const pace = createPace({ requests, windowMs, concurrency });
  const queue = new PQueue({
    intervalCap: requests,
    interval: windowMs,
    strict: true,
    concurrency: pace.ceiling(),
    autoStart: shared === undefined,
  });
  const starts: number[] = [];
  const places = new Set<Place>();
  let heldUntil = 0;
  let callOff = (): void => undefined;
  let asking = false;
  let storeFailure: { error: unknown } | undefined;

  function expectedWaitMs(position: number): number {
    const now = Date.now();
    while (starts[0] !== undefined && starts[0] <= now - windowMs) starts.shift();
    const base = Math.max(now, heldUntil);
    return expectedStart({ position, starts, base, gapMs: pace.gapMs(now), requests, windowMs }) - now;
  }

  /** How many would start before a call of this priority: `self`, or one that comes now. */
  function positionOf(priority: number, self?: Place): number {
    let position = 0;
    let earlier = true;
    for (const place of places) {
      if (place === self) earlier = false;
      else if (place.priority > priority || (earlier && place.priority === priority)) position += 1;
    }
    return position;
  }

  /** Brings the queue in line with what holds it back; a timer runs only while somebody waits. */
  function align(): void {
    callOff();
    const heldMs = heldUntil - Date.now();
    if (heldMs > 0 || shared) queue.pause();
    else queue.start();
    if (queue.size === 0) return;
    if (heldMs > 0) callOff = after(heldMs, align);
    else if (shared) void askStore();
  }

  async function askStore(): Promise<void> {
    // A start that is booked and then waits for a free slot would stand in the store at a wrong time.
    if (!shared || asking || queue.pending >= queue.concurrency) return;
    asking = true;
    let waitMs = 0;
    try {
      waitMs = await shared.store.take({ id: shared.id, requests, windowMs, now: Date.now() });
    } catch (error) {
      storeFailure = { error };
    }
    asking = false;
    if (waitMs > 0) hold(Date.now() + waitMs);
    else queue.start();
    if (waitMs > 0 || queue.size === 0) align();
  }

  async function tellStore(until: number): Promise<void> {
    try {
      await shared?.store.pause(shared.id, until);
    } catch {
      // The pause holds in this process whether or not the others hear of it.
    }
  }

  function hold(until: number): void {
    if (until <= heldUntil) return;
    heldUntil = until;
    queue.pause();
  }

  /** Runs as p-queue takes a call out, in the same turn, so that a pause here holds back the very next one. */
  function noteStart(): void {
    const now = Date.now();
    starts.push(now);
    if (starts.length > requests) starts.shift();
    options.onStart?.();
    const gapMs = pace.gapMs(now);
    if (gapMs > 0) hold(now + gapMs);
    if (queue.isPaused || shared) {
      queue.pause();
      queueMicrotask(align);
    }
    if (!storeFailure) return;
    const { error } = storeFailure;
    storeFailure = undefined;
    throw error;
  }

  // After any end of a task there is a free slot, and there may be room for more slots.
  queue.addEventListener('next', () => {
    if (queue.concurrency !== pace.ceiling()) queue.concurrency = pace.ceiling();
    if (shared && queue.size > 0) align();
  });

  async function start<Result>(task: () => Promise<Result>): Promise<Result> {
    const refusedBefore = heldUntil;
    try {
      noteStart();
      return await task();
    } finally {
      if (heldUntil <= refusedBefore) pace.accepted();
    }
  }

  function mustWait(): boolean {
    return (
      queue.isPaused || queue.size > 0 || queue.pending >= queue.concurrency || starts.length >= requests
    );
  }

  function enqueue<Result>(task: () => Promise<Result>, run: LimiterRun): Promise<Result> {
    const { signal, onWait, priority = 0, maxWaitMs = Number.POSITIVE_INFINITY } = run;
    const since = Date.now();
    const position = positionOf(priority);
    const waitMs = expectedWaitMs(position);
    if (waitMs > maxWaitMs) throw new LimiterWaitError(waitMs);
    const leaving = new AbortController();
    const place: Place = {
      priority,
      giveUpAt: since + maxWaitMs,
      leave: (reason) => leaving.abort(reason),
      tell: () => {
        const position = positionOf(priority, place);
        onWait?.({ position, waitMs: expectedWaitMs(position) });
      },
    };
    const cancel = () => place.leave(signal?.reason);
    const giveUp = () => place.leave(new LimiterWaitError(Math.max(1, expectedWaitMs(0))));
    // One later: a call whose turn comes at the very end of its longest wait still runs.
    const callOffLimit = after(maxWaitMs + 1, giveUp);
    const settle = () => {
      places.delete(place);
      callOffLimit();
      signal?.removeEventListener('abort', cancel);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    leaving.signal.addEventListener('abort', settle);
    places.add(place);
    const result = queue.add(
      () => {
        settle();
        return start(task);
      },
      { priority, signal: leaving.signal },
    );
    leaving.signal.addEventListener('abort', align);
    if (waitMs > 0) onWait?.({ position, waitMs });
    if (queue.isPaused) align();
    return result;
  }

  return {
    async run(task, run = {}) {
      run.signal?.throwIfAborted();
      if (queue.isPaused && !shared && heldUntil <= Date.now()) align();
      if (!mustWait()) return queue.add(() => start(task));
      return enqueue(task, run);
    },
    pause(ms, startedAt = Date.now()) {
      const now = Date.now();
      pace.refused(startedAt, now);
      queue.concurrency = pace.ceiling();
      if (now + ms <= heldUntil) return;
      hold(now + ms);
      void tellStore(heldUntil);
      for (const place of places) {
        if (place.giveUpAt < heldUntil) place.leave(new LimiterWaitError(heldUntil - now));
        else place.tell();
      }
      align();
    },
    expectedWaitMs: () => expectedWaitMs(places.size),
  };
}
