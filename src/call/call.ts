import { Readable } from 'node:stream';
import { NetworkError, NotFoundError, RateLimitError, TimeoutError } from '../errors.ts';
import { LimiterWaitError } from '../limit/limiter.ts';
import { createLifetime, type Lifetime, sleep } from '../timer.ts';
import { attemptOnce } from './attempt.ts';
import type { ClientContext } from './context.ts';
import type { AttemptOutcome } from './failure.ts';
import type { CallParams } from './wire.ts';

/** From the start of the first attempt, where no deadline is told: a long queue of calls is no failure. */
const DEFAULT_DEADLINE_MS = 300_000;

/** Sends one operation through the limiter, again where that is safe, within one deadline. */
export async function call<Result>(context: ClientContext, params: CallParams<Result>): Promise<Result> {
  const { options } = params;
  const lifetime = createLifetime(options.signal);
  const deadlineMs = options.deadlineMs ?? context.deadlineMs;
  if (deadlineMs !== undefined) lifetime.begin(deadlineMs);
  try {
    return await callWithin(context, params, lifetime);
  } catch (error) {
    throw explainInterruption(error, params, lifetime);
  } finally {
    lifetime.end();
  }
}

async function callWithin<Result>(
  context: ClientContext,
  params: CallParams<Result>,
  lifetime: Lifetime,
): Promise<Result> {
  const { named } = params;
  let { wire } = params;
  let mayHaveRun = false;
  let hops = 0;
  for (let attempt = 0; ; ) {
    const outcome = await inTurn(context, { ...params, wire }, { lifetime, attempt, hops });
    if (outcome.kind === 'done') return outcome.result;
    if (outcome.kind === 'moved') {
      hops += 1;
      wire = outcome.wire;
      continue;
    }
    const { error, waitMs } = outcome;
    // An earlier attempt may have deleted it: 404 then means that it is done.
    if (wire.request.method === 'DELETE' && mayHaveRun && error instanceof NotFoundError)
      return params.read({ status: 204, headers: {}, body: Readable.from([]) });
    mayHaveRun ||= outcome.mayHaveRun;
    if (lifetime.abortedByCaller) throw lifetime.signal.reason;
    // Nobody is there: more tries would only use up the limit that they count against.
    const unsent = error instanceof NetworkError && !outcome.mayHaveRun;
    const retries = unsent ? Math.min(1, context.retry.retries) : context.retry.retries;
    if (!outcome.again || attempt >= retries) throw error;
    // The service's time lies beyond the deadline: the caller learns it now rather than then.
    const asked = error instanceof RateLimitError ? (error.retryAfterMs ?? waitMs) : waitMs;
    if (asked >= lifetime.remainingMs()) throw error;
    attempt += 1;
    const told = { operation: named.name, attempt, waitMs };
    context.log('warn', 'retrying', { ...told, reason: error.name });
    context.hooks.onRetry?.({ ...told, error });
    // A refusal has paused the whole queue, and the next attempt waits there.
    if (!(error instanceof RateLimitError)) await sleep(waitMs, lifetime.signal);
  }
}

/** One attempt in its turn of the limiter; one that was refused goes before calls that have not begun. */
function inTurn<Result>(
  context: ClientContext,
  params: CallParams<Result>,
  turn: { lifetime: Lifetime; attempt: number; hops: number },
): Promise<AttemptOutcome<Result>> {
  const { named, options } = params;
  const { lifetime, attempt, hops } = turn;
  return context.limiter.run(
    () => {
      lifetime.begin(DEFAULT_DEADLINE_MS);
      return attemptOnce(context, params, turn);
    },
    {
      signal: lifetime.signal,
      priority: (options.priority ?? 0) + (attempt + hops > 0 ? 0.5 : 0),
      maxWaitMs: options.maxWaitMs ?? context.maxWaitMs,
      onWait: (wait) => {
        context.log('info', 'waiting for the rate limit', { operation: named.name, ...wait });
        context.hooks.onWait?.({ operation: named.name, ...wait });
        options.onWait?.(wait);
      },
    },
  );
}

/** What ended a call from outside: the caller's own abort (passed on as is), the deadline, or a limit on waiting. */
function explainInterruption<Result>(
  error: unknown,
  { named, options }: CallParams<Result>,
  lifetime: Lifetime,
): unknown {
  if (lifetime.abortedByCaller) return options.signal?.reason;
  if (error instanceof LimiterWaitError) {
    const seconds = Math.ceil(error.waitMs / 1000);
    return new RateLimitError(
      `${named.name}: the limit of 120 requests a minute is used up; try again in ${seconds} s.`,
      {
        status: 429,
        operation: named.name,
        scope: named.operation.scope,
        body: '',
        retryAfterMs: error.waitMs,
      },
    );
  }
  if (lifetime.signal.aborted && error === lifetime.signal.reason)
    return new TimeoutError(`${named.name}: no answer before the deadline; nothing more was sent.`);
  return error;
}
