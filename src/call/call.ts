import { RateLimitError, TimeoutError } from '../errors.ts';
import type { WaitReason } from '../limit/schedule.ts';
import { LimiterWaitError } from '../limit/waiting.ts';
import { createLifetime, type Lifetime } from '../timer.ts';
import { type CallParams, createApiRules, getDeadlineMs } from './api-rules.ts';
import { explainClosed } from './closed.ts';
import type { ClientContext } from './context.ts';
import { exchange } from './exchange.ts';

/** Sends one operation through the limiter, again where that is safe, within one deadline. */
export async function call<Result>(context: ClientContext, params: CallParams<Result>): Promise<Result> {
  const { options } = params;
  const lifetime = createLifetime(options.signal, context.closing);
  const deadlineMs = withinLifetime(context, getDeadlineMs(context, options));
  if (deadlineMs !== undefined) lifetime.begin(deadlineMs);
  try {
    const rules = createApiRules(context, params);
    if (performance.now() >= context.endsAt)
      throw new TimeoutError(`${params.named.name}: not sent, because the client's time is over.`);
    return await exchange(context, rules, lifetime);
  } catch (error) {
    throw explainInterruption(error, { context, params, lifetime });
  } finally {
    lifetime.end();
  }
}

/** A deadline, or what the client's own time leaves of it. */
export function withinLifetime(
  { endsAt }: Pick<ClientContext, 'endsAt'>,
  deadlineMs: number | undefined,
): number | undefined {
  const leftMs = endsAt - performance.now();
  return leftMs < (deadlineMs ?? Number.POSITIVE_INFINITY) ? leftMs : deadlineMs;
}

const WAITED_FOR: Readonly<Record<WaitReason, string>> = {
  window: 'the limit of 120 requests a minute is used up',
  pause: 'the service asked for a pause (429)',
  pace: 'requests go out one by one since the service refused some (429)',
  processes:
    'other processes with this key use up the limit of 120 requests a minute, or were asked for a pause',
  answers: 'too many requests wait for their answers',
};

/** What ended a call from outside: the caller's abort (passed on as is), the client's end, the deadline, a limit on waiting. */
function explainInterruption<Result>(
  error: unknown,
  call: { context: ClientContext; params: CallParams<Result>; lifetime: Lifetime },
): unknown {
  const { lifetime } = call;
  const { named, options } = call.params;
  if (lifetime.abortedByCaller()) return options.signal?.reason;
  const again = lifetime.sent ? ' again' : '';
  const closed = explainClosed(error, call.context, `${named.name}: not sent${again}`);
  if (closed !== error) return closed;
  if (error instanceof LimiterWaitError) {
    const seconds = Math.ceil(error.waitMs / 1000);
    return new RateLimitError(
      `${named.name}: not sent, because ${WAITED_FOR[error.reason]}; try again in ${seconds} s.`,
      {
        status: 429,
        operation: named.name,
        scope: named.operation.scope,
        body: '',
        retryAfterMs: error.waitMs,
      },
    );
  }
  if (lifetime.isOver() && error === lifetime.signal().reason)
    return new TimeoutError(`${named.name}: no answer before the deadline; nothing more was sent.`);
  return error;
}
