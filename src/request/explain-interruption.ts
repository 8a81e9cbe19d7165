import { RateLimitError, TimeoutError } from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import type { WaitReason } from '../rate-limit/schedule.ts';
import { isLimiterWaitError } from '../rate-limit/wait-queue.ts';
import { type Cancellation, getSignal, isAbortedByCaller, isCancelled } from './cancellation.ts';
import { explainClientClosed } from './client-closed.ts';
import type { ClientContext, RequestOptions } from './client-context.ts';

const WAIT_REASON_TEXTS: Readonly<Record<WaitReason, string>> = {
  window: 'the rate limit of 120 requests per minute is reached',
  pause: 'the service requested a pause (429)',
  'adaptive-rate': 'requests are slowed down after a rejection by the service (429)',
  'shared-limit': 'other processes with this key reached the limit of 120 requests per minute, or were asked to pause',
  'in-flight': 'too many requests are waiting for their responses',
};

/** Explains what ended a call: abort (unchanged), closed client, deadline, or wait limit. */
export function explainInterruption(
  error: unknown,
  call: { context: ClientContext; named: NamedOperation; options: RequestOptions; cancellation: Cancellation },
): unknown {
  const { context, named, options, cancellation } = call;
  if (isAbortedByCaller(cancellation)) return options.signal?.reason;
  const againText = cancellation.sent ? ' again' : '';
  const closedError = explainClientClosed(error, context, `${named.name}: not sent${againText}`);
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
