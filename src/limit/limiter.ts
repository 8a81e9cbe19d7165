import { RATE_LIMIT } from '../assumptions/index.ts';
import { InputError } from '../errors.ts';
import { after, steadyNow } from '../timer.ts';
import { createPace } from './pace.ts';
import { createSchedule } from './schedule.ts';
import { createStarts } from './starts.ts';
import { createStoreGate, type SharedLimit } from './store-gate.ts';
import { createUnanswered, type Ticket } from './unanswered.ts';
import { untroubled } from './untroubled.ts';
import { createWaiting, type WaitOptions } from './waiting.ts';

export interface LimiterRun extends WaitOptions {
  /** Takes long by its nature, as an upload does: it keeps no other call from starting while it waits for its answer. */
  readonly lasting?: boolean;
}

/** At most 120 starts in any 60.9 s (§8), in order of priority; shared by all calls of one key at one origin. */
export interface Limiter {
  /** @throws LimiterWaitError where the wait is, or becomes, longer than `maxWaitMs`. */
  run<Result>(task: () => Promise<Result>, options?: LimiterRun): Promise<Result>;
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

interface Begun {
  readonly ticket: Ticket;
  readonly answered: () => void;
}

export function createLimiter(options: LimiterOptions = {}): Limiter {
  const {
    requests = RATE_LIMIT.requests,
    windowMs = RATE_LIMIT.windowMs,
    concurrency = 40,
    onStart,
  } = options;
  checkNumbers({ requests, windowMs, concurrency });
  const pace = createPace({ requests, windowMs, concurrency });
  const schedule = createSchedule({ requests, windowMs, pace });
  const unanswered = createUnanswered(pace.ceiling);
  const gate = options.shared && createStoreGate({ ...options.shared, requests, windowMs });
  const waiting = createWaiting({
    forecast: schedule.forecast,
    onChange: () => {
      if (!callOff || waiting.size === 0) advance();
    },
  });
  const starts = createStarts({ schedule, gate });
  let refusals = 0;
  /** Set while a timer runs. */
  let callOff: (() => void) | undefined;
  let asking = false;

  function delayMs(): number {
    return Math.max(schedule.dueMs(), unanswered.waitMs());
  }

  /** Starts all that may start; a timer runs only while somebody waits. */
  function advance(): void {
    callOff?.();
    callOff = undefined;
    while (waiting.size > 0 && !asking) {
      const waitMs = delayMs();
      if (waitMs > 0) {
        callOff = after(waitMs, advance);
        return;
      }
      if (gate) void askStore();
      else waiting.startFirst();
    }
  }

  /** Asked only when a call could start at once: what is booked and then waits would stand there at a wrong time. */
  async function askStore(): Promise<void> {
    asking = true;
    const waitMs = await starts.askStore();
    asking = false;
    if (waitMs > 0) schedule.standBack(waitMs);
    else if (waiting.size > 0 && delayMs() <= 0) waiting.startFirst();
    advance();
    if (waitMs >= MIN_ANNOUNCED_DELAY_MS) waiting.announce(MIN_ANNOUNCED_DELAY_MS);
  }

  function begin(lasting = false): Begun {
    const answered = starts.begin();
    const ticket = unanswered.begin(lasting);
    if (onStart) untroubled(onStart);
    return { ticket, answered };
  }

  async function carryOut<Result>(task: () => Promise<Result>, { ticket, answered }: Begun): Promise<Result> {
    const refusalsBefore = refusals;
    try {
      return await task();
    } finally {
      if (refusals === refusalsBefore) pace.accepted();
      answered();
      unanswered.end(ticket);
      if (waiting.size > 0) advance();
    }
  }

  return {
    run(task, run = {}) {
      if (run.signal?.aborted) return Promise.reject(run.signal.reason);
      const start = () => carryOut(task, begin(run.lasting));
      return waiting.size > 0 || gate || delayMs() > 0 ? waiting.join(run, start) : start();
    },
    pause(ms, startedAt = steadyNow()) {
      const now = steadyNow();
      refusals += 1;
      pace.refused(Math.min(Math.round(startedAt), now), now);
      if (!schedule.hold(ms)) return;
      gate?.pause(ms);
      advance();
      waiting.announce();
    },
    expectedWaitMs: () => schedule.forecast(waiting.size).waitMs,
  };
}

function checkNumbers({
  windowMs,
  ...counts
}: Record<'requests' | 'windowMs' | 'concurrency', number>): void {
  for (const [name, value] of Object.entries(counts))
    if (!(Number.isInteger(value) && value >= 1))
      throw new InputError(`A limiter's ${name} must be a whole number from 1 on.`);
  if (!(windowMs > 0 && windowMs < Number.POSITIVE_INFINITY))
    throw new InputError("A limiter's windowMs must be a number of milliseconds above 0.");
}
