import PQueue from 'p-queue';
import { InputError } from '../errors.ts';
import { addAbortCallback, monotonicNow, removeAbortCallback, runAfter } from '../timer.ts';
import { callSafely } from './call-safely.ts';
import { createPriorityQueue, type PQueueAdapter, type QueueEntry, type QueueOptions } from './priority-queue.ts';
import type { Forecast, WaitReason } from './schedule.ts';

/** State of a waiting call. */
export interface Wait {
  /** Number of calls before this one. */
  readonly position: number;
  /** Estimated milliseconds until it starts. */
  readonly waitMs: number;
}

export interface WaitOptions {
  /** Ends the wait with the signal's reason; a running task must handle the signal itself. */
  readonly signal?: AbortSignal;
  /** Called when the call has to wait, and again when the wait gets longer. Its errors are ignored. */
  readonly onWait?: (wait: Wait) => void;
  /** Calls with a higher priority start earlier. Default: 0. */
  readonly priority?: number;
  /** Maximum wait in milliseconds. */
  readonly maxWaitMs?: number;
  /** Maximum pause requested by the service, unlike a queue, which a call may wait out. */
  readonly maxPauseMs?: number;
}

/** Thrown by `run` if its task did not start. */
export class LimiterWaitError extends Error {
  readonly waitMs: number;
  readonly reason: WaitReason;
  constructor(waitMs: number, reason: WaitReason) {
    super(`The wait for the rate limit would be ${waitMs} ms`);
    this.name = 'LimiterWaitError';
    this.waitMs = waitMs;
    this.reason = reason;
  }
}

/** Also true for the error of another installed copy of this package, which may own the limiter. */
export function isLimiterWaitError(error: unknown): error is LimiterWaitError {
  return error instanceof Error && error.name === 'LimiterWaitError';
}

/** If only responses are missing, the reason is `in-flight`. */
function toWaitError({ waitMs, reason }: Forecast): LimiterWaitError {
  return waitMs > 0 ? new LimiterWaitError(waitMs, reason) : new LimiterWaitError(1, 'in-flight');
}

interface WaitingCall extends QueueEntry {
  /** End of its maximum wait. */
  readonly expiresAt: number;
  readonly maxPauseMs: number;
  readonly onWait: ((wait: Wait) => void) | undefined;
  /** Last forecast of its start. */
  startsAt: number;
  readonly signal: AbortSignal | undefined;
  /** Ends the wait when the signal aborts. */
  onAbort: (() => void) | undefined;
  cancelWaitTimer: (() => void) | undefined;
  /** Reason for leaving the queue early. */
  cancelled: { readonly error: unknown } | undefined;
}

interface Announcement {
  readonly minDelayMs: number;
}

/** A separate function, because a closure in `enqueue` would hold its variables while the call waits. */
function announceWait(onWait: (wait: Wait) => void, wait: Wait): void {
  callSafely(() => onWait(wait));
}

/** Callbacks per turn of the event loop. */
const ANNOUNCE_BATCH_SIZE = 500;

/** Calls that cannot start yet, in p-queue, which starts one on each request. */
export function createWaitQueue(options: {
  forecast: (position: number) => Forecast;
  /** Runs the task of a call whose turn has come. */
  runCall: <Result>(task: () => Promise<Result>, isLongRunning: boolean) => Promise<Result>;
  /** Called when a call arrives or leaves early. */
  onChange: () => void;
}) {
  const { forecast, runCall, onChange } = options;
  const priorityQueue = createPriorityQueue<WaitingCall>();
  // Used only as a queue: p-queue's own limit reads the wall clock, which may be set.
  const queue = new PQueue<PQueueAdapter<WaitingCall>, QueueOptions<WaitingCall>>({
    autoStart: false,
    queueClass: priorityQueue.queueClass,
  });
  let announcement: Announcement = { minDelayMs: 0 };

  function notifyWaiting(
    entries: readonly WaitingCall[],
    progress: { index: number; position: number; current: Announcement },
  ): void {
    if (progress.current !== announcement) return;
    let { index, position } = progress;
    const callbacks: (() => void)[] = [];
    for (const batchEnd = index + ANNOUNCE_BATCH_SIZE; index < batchEnd && index < entries.length; index++) {
      const entry = entries[index];
      if (!entry?.job) continue;
      const { waitMs, reason, pauseMs } = forecast(position);
      const startsAt = monotonicNow() + waitMs;
      if (pauseMs > entry.maxPauseMs || startsAt > entry.expiresAt) {
        removeWaiting(entry, new LimiterWaitError(waitMs, reason));
        continue;
      }
      const { onWait } = entry;
      const wait = { position, waitMs };
      position += 1;
      if (startsAt < entry.startsAt + progress.current.minDelayMs) continue;
      entry.startsAt = startsAt;
      if (onWait) callbacks.push(() => onWait(wait));
    }
    if (index < entries.length)
      setImmediate(() => notifyWaiting(entries, { index, position, current: progress.current }));
    for (const one of callbacks) callSafely(one);
  }

  function cleanUp({ signal, onAbort, cancelWaitTimer }: WaitingCall): void {
    if (signal && onAbort) removeAbortCallback(signal, onAbort);
    cancelWaitTimer?.();
  }

  function removeWaiting(entry: WaitingCall, error: unknown): void {
    const run = priorityQueue.remove(entry);
    if (!run) return;
    cleanUp(entry);
    entry.cancelled = { error };
    // p-queue releases a task only after it has run.
    void run();
    onChange();
  }

  return {
    get size(): number {
      return priorityQueue.size;
    },
    /** Runs the task when it is its turn. @throws LimiterWaitError */
    enqueue<Result>(task: () => Promise<Result>, isLongRunning: boolean, options: WaitOptions): Promise<Result> {
      const { signal, onWait, priority = 0 } = options;
      const { maxWaitMs = Number.POSITIVE_INFINITY, maxPauseMs = Number.POSITIVE_INFINITY } = options;
      if (typeof priority !== 'number' || Number.isNaN(priority))
        return Promise.reject(new InputError('The priority of a call must be a number.'));
      const position = priorityQueue.countBefore(priority);
      const { waitMs, reason, pauseMs } = forecast(position);
      if (waitMs > maxWaitMs || pauseMs > maxPauseMs) return Promise.reject(new LimiterWaitError(waitMs, reason));
      const now = monotonicNow();
      // With all fields, because later ones take more memory.
      const entry: WaitingCall = {
        expiresAt: now + maxWaitMs,
        maxPauseMs,
        onWait,
        startsAt: now + waitMs,
        signal,
        onAbort: undefined,
        cancelWaitTimer: undefined,
        cancelled: undefined,
        job: undefined,
        bucket: undefined,
      };
      if (signal) {
        entry.onAbort = () => removeWaiting(entry, entry.signal?.reason);
        addAbortCallback(signal, entry.onAbort);
      }
      // One millisecond later: a call whose turn comes exactly at its maximum wait still runs.
      if (maxWaitMs < Number.POSITIVE_INFINITY)
        entry.cancelWaitTimer = runAfter(maxWaitMs + 1, () => removeWaiting(entry, toWaitError(forecast(0))));
      const runInTurn = () => {
        if (entry.cancelled) throw entry.cancelled.error;
        // In the same turn, so the next one waits.
        queue.pause();
        cleanUp(entry);
        return runCall(task, isLongRunning);
      };
      const completion = queue.add(runInTurn, { priority, entry });
      onChange();
      if (waitMs > 0 && onWait) announceWait(onWait, { position, waitMs });
      return completion;
    },
    startFirst(): void {
      queue.start();
      queue.pause();
    },
    /** After the wait grew: ends waits that are now too long, notifies calls delayed by `minDelayMs`. */
    announceDelay(minDelayMs = 0): void {
      announcement = { minDelayMs };
      notifyWaiting(priorityQueue.entries(), { index: 0, position: 0, current: announcement });
    },
  };
}
