import { RATE_LIMIT } from '../assumptions/index.ts';
import { InputError } from '../errors.ts';
import { monotonicNow, runAfter } from '../timer.ts';
import { createAdaptiveRate } from './adaptive-rate.ts';
import { callSafely } from './call-safely.ts';
import { createInFlightCalls, type InFlightCall } from './in-flight.ts';
import { createSchedule } from './schedule.ts';
import { createSharedLimiter, type SharedLimit } from './shared-limiter.ts';
import { createWaitQueue, type WaitOptions } from './wait-queue.ts';
import { createStartWindow } from './window.ts';

export interface LimiterRunOptions extends WaitOptions {
  /** Takes long by its nature, as an upload does: it keeps no other call from starting while it waits for its answer. */
  readonly isLongRunning?: boolean;
}

/** At most 120 starts in any 60.9 s (§8), in order of priority; shared by all calls of one key at one origin. */
export interface Limiter {
  /** @throws LimiterWaitError where the wait is, or becomes, longer than `maxWaitMs`. */
  run<Result>(task: () => Promise<Result>, options?: LimiterRunOptions): Promise<Result>;
  /**
   * Holds every start back for `ms` from now: what a 429 asks for. Later starts come evenly spaced for some minutes.
   * @param startedAt when the refused call started, by `performance.now()`: one burst slows down only once.
   */
  pause(ms: number, startedAt?: number): void;
  /** Milliseconds until a call made now would start. */
  expectedWaitMs(): number;
}

export interface LimiterOptions {
  readonly requests?: number;
  readonly windowMs?: number;
  /**
   * The most calls that started within the last second and have no answer yet; a new limiter begins with 10 and adds
   * to them as answers come.
   */
  readonly concurrency?: number;
  /** Counts the starts of several processes together. */
  readonly shared?: SharedLimit;
  /** Told of every start. */
  readonly onStart?: () => void;
}

/** Shorter waits among processes that share a full limit come by the dozen: nobody is told of them. */
const MIN_ANNOUNCED_DELAY_MS = 1000;

interface StartedCall {
  readonly inFlightCall: InFlightCall;
  readonly onResponse: () => void;
}

export function createLimiter(options: LimiterOptions = {}): Limiter {
  const {
    requests = RATE_LIMIT.requests,
    windowMs = RATE_LIMIT.windowMs,
    concurrency = 40,
    onStart,
  } = options;
  validateLimits({ requests, windowMs, concurrency });
  const adaptiveRate = createAdaptiveRate({ requests, windowMs, concurrency });
  const schedule = createSchedule({ requests, windowMs, adaptiveRate });
  const inFlightCalls = createInFlightCalls(adaptiveRate.maxConcurrency);
  const sharedLimiter = options.shared && createSharedLimiter({ ...options.shared, requests, windowMs });
  const waitQueue = createWaitQueue({
    forecast: schedule.forecast,
    onChange: () => {
      if (!cancelTimer || waitQueue.size === 0) startDueCalls();
    },
  });
  const startWindow = createStartWindow({ schedule, sharedLimiter });
  let rejectionCount = 0;
  /** Set while a timer runs. */
  let cancelTimer: (() => void) | undefined;
  let isAskingStore = false;

  function getDelayMs(): number {
    return Math.max(schedule.getWaitMs(), inFlightCalls.waitMs());
  }

  /** Starts all that may start; a timer runs only while somebody waits. */
  function startDueCalls(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    while (waitQueue.size > 0 && !isAskingStore) {
      const waitMs = getDelayMs();
      if (waitMs > 0) {
        cancelTimer = runAfter(waitMs, startDueCalls);
        return;
      }
      if (sharedLimiter) void requestStartFromStore();
      else waitQueue.startFirst();
    }
  }

  /** Asked only when a call could start at once: what is booked and then waits would stand there at a wrong time. */
  async function requestStartFromStore(): Promise<void> {
    isAskingStore = true;
    const waitMs = await startWindow.requestStartFromStore();
    isAskingStore = false;
    if (waitMs > 0) schedule.deferToStore(waitMs);
    else if (waitQueue.size > 0 && getDelayMs() <= 0) waitQueue.startFirst();
    startDueCalls();
    if (waitMs >= MIN_ANNOUNCED_DELAY_MS) waitQueue.announceDelay(MIN_ANNOUNCED_DELAY_MS);
  }

  function startCall(isLongRunning = false): StartedCall {
    const onResponse = startWindow.startCall();
    const inFlightCall = inFlightCalls.add(isLongRunning);
    if (onStart) callSafely(onStart);
    return { inFlightCall, onResponse };
  }

  async function runCall<Result>(
    task: () => Promise<Result>,
    { inFlightCall, onResponse }: StartedCall,
  ): Promise<Result> {
    const rejectionCountBefore = rejectionCount;
    try {
      return await task();
    } finally {
      if (rejectionCount === rejectionCountBefore) adaptiveRate.onAccepted();
      onResponse();
      inFlightCalls.remove(inFlightCall);
      if (waitQueue.size > 0) startDueCalls();
    }
  }

  return {
    run(task, run = {}) {
      if (run.signal?.aborted) return Promise.reject(run.signal.reason);
      const start = () => runCall(task, startCall(run.isLongRunning));
      return waitQueue.size > 0 || sharedLimiter || getDelayMs() > 0
        ? waitQueue.enqueue(run, start)
        : start();
    },
    pause(ms, startedAt = monotonicNow()) {
      const now = monotonicNow();
      rejectionCount += 1;
      adaptiveRate.onRejected(Math.min(Math.round(startedAt), now), now);
      if (!schedule.pauseFor(ms)) return;
      sharedLimiter?.pause(ms);
      startDueCalls();
      waitQueue.announceDelay();
    },
    expectedWaitMs: () => schedule.forecast(waitQueue.size).waitMs,
  };
}

function validateLimits({
  windowMs,
  ...integerOptions
}: Record<'requests' | 'windowMs' | 'concurrency', number>): void {
  for (const [name, value] of Object.entries(integerOptions))
    if (!(Number.isInteger(value) && value >= 1))
      throw new InputError(`A limiter's ${name} must be a whole number from 1 on.`);
  if (!(windowMs > 0 && windowMs < Number.POSITIVE_INFINITY))
    throw new InputError("A limiter's windowMs must be a number of milliseconds above 0.");
}
