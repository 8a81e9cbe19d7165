import { getBackoffMs } from '../retry/retry.ts';
import { sleep } from '../timer.ts';
import { runAttempt } from './attempt.ts';
import {
  type Cancellation,
  getRemainingMs,
  getSignal,
  isAbortedByCaller,
  releaseCancellation,
} from './cancellation.ts';
import type { ExchangeContext } from './client-context.ts';
import type { CallObservation } from './hooks.ts';
import { endObservation, startObservation } from './observer.ts';
import type { AttemptHandlers, AttemptOutcome, AttemptState, RequestPolicy } from './request-policy.ts';

/**
 * Runs one request to its end, with rate limit, redirects, back-off and retries, within one deadline. Then releases the
 * cancellation.
 * @throws the error of the last attempt, or the reason of the cancellation, as the policy explains it.
 */
export function runWithRetries<Result>(
  context: ExchangeContext,
  policy: RequestPolicy<Result>,
  cancellation: Cancellation,
): Promise<Result> {
  const { observer } = context;
  if (!observer) return runAttempts(context, policy, cancellation);
  const observation = startObservation(observer, policy);
  const result = runAttempts(context, policy, cancellation, observation);
  result.then(
    () => endObservation(observer, observation),
    (error: unknown) => endObservation(observer, observation, { error }),
  );
  return result;
}

async function runAttempts<Result>(
  context: ExchangeContext,
  policy: RequestPolicy<Result>,
  cancellation: Cancellation,
  observation?: CallObservation,
): Promise<Result> {
  // In this function, because each further async function adds to the memory of a waiting call.
  try {
    const preparedRequest = policy.prepare(0);
    let request = preparedRequest instanceof Promise ? await preparedRequest : preparedRequest;
    let attempt = 0;
    let hops = 0;
    let mayHaveRun = false;
    let handlers: AttemptHandlers<Result> | undefined;
    for (;;) {
      const state: AttemptState = { cancellation, observation, attempt, hops, mayHaveRun };
      const runNext = () => {
        handlers ??= policy.createHandlers();
        return runAttempt(context, { policy, handlers, request, state });
      };
      const outcome: AttemptOutcome<Result> = await (policy.schedule ? policy.schedule(runNext, state) : runNext());
      if (outcome.kind === 'succeeded') return outcome.result;
      if (outcome.kind === 'redirected') {
        hops += 1;
        request = outcome.request;
        continue;
      }
      const { error } = outcome;
      if (isAbortedByCaller(cancellation)) throw cancellation.callerSignal?.reason;
      mayHaveRun ||= outcome.mayHaveRun;
      const waitMs = outcome.waitMs ?? getBackoffMs(attempt, context.retry);
      const retries = Math.min(policy.retries, outcome.maxRetries ?? policy.retries);
      // If the wait exceeds the deadline, the call fails now.
      const exceedsDeadline =
        waitMs >= Math.min(getRemainingMs(cancellation), policy.maxRetryWaitMs ?? Number.POSITIVE_INFINITY);
      if (!outcome.retryable || attempt >= retries || exceedsDeadline) {
        if (outcome.fallbackResult !== undefined) return outcome.fallbackResult;
        throw error;
      }
      attempt += 1;
      if (observation) notifyRetry(context, observation, { attempt, waitMs, error });
      if (!outcome.alreadyDelayed) await sleep(waitMs, getSignal(cancellation));
      if (!policy.rebuildsRequest) continue;
      request = await policy.prepare(attempt);
      hops = 0;
    }
  } catch (error) {
    throw policy.explainError ? policy.explainError(error, cancellation) : error;
  } finally {
    releaseCancellation(cancellation);
  }
}

function notifyRetry(
  { observer }: ExchangeContext,
  { callEvent }: CallObservation,
  retry: { attempt: number; waitMs: number; error: Error },
): void {
  const { error, ...retryNumbers } = retry;
  observer?.log('warn', 'Retrying', { ...callEvent, ...retryNumbers, reason: error.name });
  observer?.emit('onRetry', { ...callEvent, ...retry });
}
