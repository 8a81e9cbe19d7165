import { RATE_LIMIT } from '../assumptions/index.ts';
import { InputError } from '../errors.ts';
import { checkOptionNames, type OptionNames } from '../option-names.ts';
import { monotonicNow, runAfter } from '../timer.ts';
import { createAdaptiveRate } from './adaptive-rate.ts';
import { callSafely } from './call-safely.ts';
import { createInFlightCalls } from './in-flight.ts';
import { createSchedule } from './schedule.ts';
import { createSharedLimiter, type SharedLimit } from './shared-limiter.ts';
import { createWaitQueue, type WaitOptions } from './wait-queue.ts';
import { createStartWindow } from './window.ts';

export interface LimiterRunOptions extends WaitOptions {
  /** A slow call such as an upload, which does not block others while it waits for its response. */
  readonly isLongRunning?: boolean;
}

/** Allows 120 starts in any 60.9 s (§8), by priority; shared by all calls with one key and origin. */
export interface Limiter {
  /** @throws LimiterWaitError if the wait is, or becomes, longer than `maxWaitMs`. */
  run<Result>(task: () => Promise<Result>, options?: LimiterRunOptions): Promise<Result>;
  /**
   * Pauses all starts for `ms`, after a 429. Later starts are evenly spaced for some minutes.
   * @param startedAt start of the rejected call by `performance.now()`: a burst slows down only once.
   */
  pause(ms: number, startedAt?: number): void;
  expectedWaitMs(): number;
}

export interface LimiterOptions {
  readonly requests?: number;
  readonly windowMs?: number;
  /** Maximum calls in flight that started within a second; begins at 10 and grows per response. */
  readonly concurrency?: number;
  /** Shares the limit with other processes. */
  readonly shared?: SharedLimit;
  /** Called on every start. */
  readonly onStart?: () => void;
}

const LIMITER_OPTION_NAMES: OptionNames<LimiterOptions> = {
  requests: true,
  windowMs: true,
  concurrency: true,
  shared: true,
  onStart: true,
};

/** Shorter waits for a full shared limit are frequent and not reported. */
const MIN_ANNOUNCED_DELAY_MS = 1000;

export function createLimiter(options: LimiterOptions = {}): Limiter {
  checkOptionNames('createLimiter', options, LIMITER_OPTION_NAMES);
  const { requests = RATE_LIMIT.requests, windowMs = RATE_LIMIT.windowMs, concurrency = 40, onStart } = options;
  validateLimits({ requests, windowMs, concurrency });
  const adaptiveRate = createAdaptiveRate({ requests, windowMs, concurrency });
  const schedule = createSchedule({ requests, windowMs, adaptiveRate });
  const inFlightCalls = createInFlightCalls(adaptiveRate.maxConcurrency);
  const sharedLimiter = options.shared && createSharedLimiter({ ...options.shared, requests, windowMs });
  const waitQueue = createWaitQueue({
    forecast: schedule.forecast,
    runCall,
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

  /** Starts all calls that may start; a timer runs only while a call waits. */
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

  /** Called only when a call could start at once: a booked start that waits has the wrong time. */
  async function requestStartFromStore(): Promise<void> {
    isAskingStore = true;
    const waitMs = await startWindow.requestStartFromStore();
    isAskingStore = false;
    if (waitMs > 0) schedule.deferToStore(waitMs);
    else if (waitQueue.size > 0 && getDelayMs() <= 0) waitQueue.startFirst();
    startDueCalls();
    if (waitMs >= MIN_ANNOUNCED_DELAY_MS) waitQueue.announceDelay(MIN_ANNOUNCED_DELAY_MS);
  }

  async function runCall<Result>(task: () => Promise<Result>, isLongRunning: boolean): Promise<Result> {
    const onResponse = startWindow.startCall();
    const inFlightCall = inFlightCalls.add(isLongRunning);
    if (onStart) callSafely(onStart);
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
      const { isLongRunning = false } = run;
      const mustWait = waitQueue.size > 0 || sharedLimiter || getDelayMs() > 0;
      return mustWait ? waitQueue.enqueue(task, isLongRunning, run) : runCall(task, isLongRunning);
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
      throw new InputError(`A limiter's ${name} must be a whole number of at least 1.`);
  if (!(windowMs > 0 && windowMs < Number.POSITIVE_INFINITY))
    throw new InputError("A limiter's windowMs must be more than 0 milliseconds.");
}
