import { RateLimitError, TimeoutError } from '../errors.ts';
import type { WaitReason } from '../rate-limit/schedule.ts';
import { isLimiterWaitError } from '../rate-limit/wait-queue.ts';
import { createApiPolicy, getDeadlineMs, type SendRequestParams } from './api-policy.ts';
import {
  type Cancellation,
  createCancellation,
  getSignal,
  isAbortedByCaller,
  isCancelled,
  releaseCancellation,
  startDeadline,
} from './cancellation.ts';
import { explainClientClosed } from './client-closed.ts';
import type { ClientContext } from './client-context.ts';
import { runWithRetries } from './run-with-retries.ts';

/** Sends one operation through the rate limiter, with safe retries, within one deadline. */
export async function sendRequest<Result>(context: ClientContext, params: SendRequestParams<Result>): Promise<Result> {
  const { options } = params;
  const cancellation = createCancellation(options.signal, context.closing);
  const deadlineMs = limitToClientLifetime(context, getDeadlineMs(context, options));
  if (deadlineMs !== undefined) startDeadline(cancellation, deadlineMs);
  try {
    const policy = createApiPolicy(context, params);
    if (performance.now() >= context.endsAt)
      throw new TimeoutError(`${params.named.name}: not sent, because the client's lifetime is over.`);
    return await runWithRetries(context, policy, cancellation);
  } catch (error) {
    throw toInterruptionError(error, { context, params, cancellation });
  } finally {
    releaseCancellation(cancellation);
  }
}

/** Shortens a deadline to the client's remaining lifetime. */
export function limitToClientLifetime(
  { endsAt }: Pick<ClientContext, 'endsAt'>,
  deadlineMs: number | undefined,
): number | undefined {
  const remainingMs = endsAt - performance.now();
  return remainingMs < (deadlineMs ?? Number.POSITIVE_INFINITY) ? remainingMs : deadlineMs;
}

const WAIT_REASON_TEXTS: Readonly<Record<WaitReason, string>> = {
  window: 'the rate limit of 120 requests per minute is reached',
  pause: 'the service requested a pause (429)',
  'adaptive-rate': 'requests are slowed down after a rejection by the service (429)',
  'shared-limit': 'other processes with this key reached the limit of 120 requests per minute, or were asked to pause',
  'in-flight': 'too many requests are waiting for their responses',
};

/** Explains what ended a call: abort (unchanged), closed client, deadline, or wait limit. */
function toInterruptionError<Result>(
  error: unknown,
  request: { context: ClientContext; params: SendRequestParams<Result>; cancellation: Cancellation },
): unknown {
  const { cancellation } = request;
  const { named, options } = request.params;
  if (isAbortedByCaller(cancellation)) return options.signal?.reason;
  const againText = cancellation.sent ? ' again' : '';
  const closedError = explainClientClosed(error, request.context, `${named.name}: not sent${againText}`);
  if (closedError !== error) return closedError;
  if (isLimiterWaitError(error)) {
    const seconds = Math.ceil(error.waitMs / 1000);
    return new RateLimitError(
      `${named.name}: not sent, because ${WAIT_REASON_TEXTS[error.reason]}; try again in ${seconds} s.`,
      { status: 429, operation: named.name, scope: named.operation.scope, body: '', retryAfterMs: error.waitMs },
    );
  }
  if (isCancelled(cancellation) && error === getSignal(cancellation).reason)
    return new TimeoutError(`${named.name}: no response before the deadline; nothing more was sent.`);
  return error;
}
