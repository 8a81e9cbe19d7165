import PQueue from 'p-queue';
import { InputError } from '../errors.ts';
import { after, onAbort, steadyNow } from '../timer.ts';
import { createLine, type LineOptions, type LineQueue, type Standing } from './line.ts';
import type { Forecast, WaitReason } from './schedule.ts';
import { untroubled } from './untroubled.ts';

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
function tooLong({ waitMs, reason }: Forecast): LimiterWaitError {
  return waitMs > 0 ? new LimiterWaitError(waitMs, reason) : new LimiterWaitError(1, 'answers');
}

/** A call that waits. */
interface Place extends Standing {
  /** When its longest wait is over. */
  readonly giveUpAt: number;
  readonly maxPauseMs: number;
  readonly onWait: ((wait: Wait) => void) | undefined;
  /** When it was last foreseen to start. */
  startsAt: number;
  forgetSignal?: () => void;
  forgetLimit?: () => void;
  /** Why it left before its turn. */
  left?: { readonly error: unknown };
}

/** The calls that can not start yet, in p-queue, which starts one each time it is told to. */
export interface Waiting {
  readonly size: number;
  /** Runs `start` when it is its turn. @throws LimiterWaitError */
  join<Result>(options: WaitOptions, start: () => Promise<Result>): Promise<Result>;
  startFirst(): void;
  /** The wait has become longer: ends the waits that are now too long, and tells those who start later by `leastMs` or more. */
  announce(leastMs?: number): void;
}

interface Announcement {
  readonly leastMs: number;
}

/** How many hear of a pause in one turn of the event loop. */
const TOLD_AT_ONCE = 500;

export function createWaiting(options: {
  forecast: (position: number) => Forecast;
  /** Somebody came, or left before their turn. */
  onChange: () => void;
}): Waiting {
  const { forecast, onChange } = options;
  const line = createLine<Place>();
  // Only its queue: its own limit reads the wall clock, so that a clock that is put right bursts or stalls it.
  const queue = new PQueue<LineQueue<Place>, LineOptions<Place>>({
    autoStart: false,
    queueClass: line.queueClass,
  });
  let announcement: Announcement = { leastMs: 0 };

  function tell(
    places: readonly Place[],
    from: { index: number; position: number; current: Announcement },
  ): void {
    if (from.current !== announcement) return;
    let { index, position } = from;
    const told: (() => void)[] = [];
    for (const end = index + TOLD_AT_ONCE; index < end && index < places.length; index++) {
      const place = places[index];
      if (!place?.run) continue;
      const { waitMs, reason, pauseMs } = forecast(position);
      const startsAt = steadyNow() + waitMs;
      if (pauseMs > place.maxPauseMs || startsAt > place.giveUpAt) {
        leave(place, new LimiterWaitError(waitMs, reason));
        continue;
      }
      const { onWait } = place;
      const wait = { position, waitMs };
      position += 1;
      if (startsAt < place.startsAt + from.current.leastMs) continue;
      place.startsAt = startsAt;
      if (onWait) told.push(() => onWait(wait));
    }
    if (index < places.length) setImmediate(() => tell(places, { index, position, current: from.current }));
    for (const one of told) untroubled(one);
  }

  function settle({ forgetSignal, forgetLimit }: Place): void {
    forgetSignal?.();
    forgetLimit?.();
  }

  function leave(place: Place, error: unknown): void {
    const run = line.takeOut(place);
    if (!run) return;
    settle(place);
    place.left = { error };
    // p-queue lets go of a task only when it has run.
    void run();
    onChange();
  }

  return {
    get size() {
      return line.size;
    },
    join(options, start) {
      const { signal, onWait, priority = 0 } = options;
      const { maxWaitMs = Number.POSITIVE_INFINITY, maxPauseMs = Number.POSITIVE_INFINITY } = options;
      if (typeof priority !== 'number' || Number.isNaN(priority))
        return Promise.reject(new InputError('The priority of a call must be a number.'));
      const position = line.countBefore(priority);
      const { waitMs, reason, pauseMs } = forecast(position);
      if (waitMs > maxWaitMs || pauseMs > maxPauseMs)
        return Promise.reject(new LimiterWaitError(waitMs, reason));
      const now = steadyNow();
      const place: Place = { giveUpAt: now + maxWaitMs, maxPauseMs, onWait, startsAt: now + waitMs };
      if (signal) place.forgetSignal = onAbort(signal, () => leave(place, signal.reason));
      // One later: a call whose turn comes at the very end of its longest wait still runs.
      if (maxWaitMs < Number.POSITIVE_INFINITY)
        place.forgetLimit = after(maxWaitMs + 1, () => leave(place, tooLong(forecast(0))));
      const takeTurn = () => {
        if (place.left) throw place.left.error;
        // In the same turn, so that the next one stays.
        queue.pause();
        settle(place);
        return start();
      };
      const end = queue.add(takeTurn, { priority, place });
      onChange();
      if (waitMs > 0 && onWait) untroubled(() => onWait({ position, waitMs }));
      return end;
    },
    startFirst() {
      queue.start();
      queue.pause();
    },
    announce(leastMs = 0) {
      announcement = { leastMs };
      tell(line.places(), { index: 0, position: 0, current: announcement });
    },
  };
}
