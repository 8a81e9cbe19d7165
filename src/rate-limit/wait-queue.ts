import PQueue from 'p-queue';
import { InputError } from '../errors.ts';
import { monotonicNow, onAbort, runAfter } from '../timer.ts';
import { callSafely } from './call-safely.ts';
import {
  createPriorityQueue,
  type PQueueAdapter,
  type QueueEntry,
  type QueueOptions,
} from './priority-queue.ts';
import type { Forecast, WaitReason } from './schedule.ts';

/** What a call sees while it stands in the queue. */
export interface Wait {
  /** Calls before this one. */
  readonly position: number;
  /** Milliseconds until it starts, as far as can be foreseen. */
  readonly waitMs: number;
}

export interface WaitOptions {
  /** Ends the wait with its own reason and frees the place; a task that already runs has to heed it itself. */
  readonly signal?: AbortSignal;
  /** Told when the call has to wait, and again when a pause or another process makes the wait longer. What it throws changes nothing. */
  readonly onWait?: (wait: Wait) => void;
  /** Higher starts earlier; 0 unless told. */
  readonly priority?: number;
  /** The longest wait accepted, in milliseconds. */
  readonly maxWaitMs?: number;
  /** The longest pause accepted that the service asks for: a queue is waited out, a day's refusal is not. */
  readonly maxPauseMs?: number;
}

/** Thrown by `run` before its task started. */
export class LimiterWaitError extends Error {
  readonly waitMs: number;
  readonly reason: WaitReason;
  constructor(waitMs: number, reason: WaitReason) {
    super(`The wait for the rate limit would be ${waitMs} ms`);
    this.waitMs = waitMs;
    this.reason = reason;
  }
}

/** For a wait that ends though nothing but answers is missing, `answers`. */
function toWaitError({ waitMs, reason }: Forecast): LimiterWaitError {
  return waitMs > 0 ? new LimiterWaitError(waitMs, reason) : new LimiterWaitError(1, 'answers');
}

/** A call that waits. */
interface WaitingCall extends QueueEntry {
  /** When its longest wait is over. */
  readonly expiresAt: number;
  readonly maxPauseMs: number;
  readonly onWait: ((wait: Wait) => void) | undefined;
  /** When it was last foreseen to start. */
  startsAt: number;
  removeAbortListener?: () => void;
  cancelWaitTimer?: () => void;
  /** Why it left before its turn. */
  cancelled?: { readonly error: unknown };
}

/** The calls that can not start yet, in p-queue, which starts one each time it is told to. */
export interface WaitQueue {
  readonly size: number;
  /** Runs `start` when it is its turn. @throws LimiterWaitError */
  enqueue<Result>(options: WaitOptions, start: () => Promise<Result>): Promise<Result>;
  startFirst(): void;
  /** The wait has become longer: ends the waits that are now too long, and tells those who start later by `minDelayMs` or more. */
  announceDelay(minDelayMs?: number): void;
}

interface Announcement {
  readonly minDelayMs: number;
}

/** How many hear of a pause in one turn of the event loop. */
const ANNOUNCE_BATCH_SIZE = 500;

export function createWaitQueue(options: {
  forecast: (position: number) => Forecast;
  /** Somebody came, or left before their turn. */
  onChange: () => void;
}): WaitQueue {
  const { forecast, onChange } = options;
  const priorityQueue = createPriorityQueue<WaitingCall>();
  // Only its queue: its own limit reads the wall clock, so that a clock that is put right bursts or stalls it.
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

  function cleanUp({ removeAbortListener, cancelWaitTimer }: WaitingCall): void {
    removeAbortListener?.();
    cancelWaitTimer?.();
  }

  function removeWaiting(entry: WaitingCall, error: unknown): void {
    const run = priorityQueue.remove(entry);
    if (!run) return;
    cleanUp(entry);
    entry.cancelled = { error };
    // p-queue lets go of a task only when it has run.
    void run();
    onChange();
  }

  return {
    get size() {
      return priorityQueue.size;
    },
    enqueue(options, start) {
      const { signal, onWait, priority = 0 } = options;
      const { maxWaitMs = Number.POSITIVE_INFINITY, maxPauseMs = Number.POSITIVE_INFINITY } = options;
      if (typeof priority !== 'number' || Number.isNaN(priority))
        return Promise.reject(new InputError('The priority of a call must be a number.'));
      const position = priorityQueue.countBefore(priority);
      const { waitMs, reason, pauseMs } = forecast(position);
      if (waitMs > maxWaitMs || pauseMs > maxPauseMs)
        return Promise.reject(new LimiterWaitError(waitMs, reason));
      const now = monotonicNow();
      const entry: WaitingCall = { expiresAt: now + maxWaitMs, maxPauseMs, onWait, startsAt: now + waitMs };
      if (signal) entry.removeAbortListener = onAbort(signal, () => removeWaiting(entry, signal.reason));
      // One later: a call whose turn comes at the very end of its longest wait still runs.
      if (maxWaitMs < Number.POSITIVE_INFINITY)
        entry.cancelWaitTimer = runAfter(maxWaitMs + 1, () => removeWaiting(entry, toWaitError(forecast(0))));
      const runInTurn = () => {
        if (entry.cancelled) throw entry.cancelled.error;
        // In the same turn, so that the next one stays.
        queue.pause();
        cleanUp(entry);
        return start();
      };
      const completion = queue.add(runInTurn, { priority, entry });
      onChange();
      if (waitMs > 0 && onWait) callSafely(() => onWait({ position, waitMs }));
      return completion;
    },
    startFirst() {
      queue.start();
      queue.pause();
    },
    announceDelay(minDelayMs = 0) {
      announcement = { minDelayMs };
      notifyWaiting(priorityQueue.entries(), { index: 0, position: 0, current: announcement });
    },
  };
}
