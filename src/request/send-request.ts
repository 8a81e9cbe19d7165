import { ApiPolicy, getDeadlineMs, type SendRequestParams } from './api-policy.ts';
import { createCancellation, startDeadline } from './cancellation.ts';
import type { ClientContext } from './client-context.ts';
import { runWithRetries } from './run-with-retries.ts';

/** Sends one operation through the rate limiter, with safe retries, within one deadline. */
export function sendRequest<Result>(context: ClientContext, params: SendRequestParams<Result>): Promise<Result> {
  const { options } = params;
  const cancellation = createCancellation(options.signal, context.closing);
  const deadlineMs = limitToClientLifetime(context, getDeadlineMs(context, options));
  if (deadlineMs !== undefined) startDeadline(cancellation, deadlineMs);
  return runWithRetries(context, new ApiPolicy(context, params), cancellation);
}

/** Shortens a deadline to the client's remaining lifetime. */
export function limitToClientLifetime(
  { endsAt }: Pick<ClientContext, 'endsAt'>,
  deadlineMs: number | undefined,
): number | undefined {
  const remainingMs = endsAt - performance.now();
  return remainingMs < (deadlineMs ?? Number.POSITIVE_INFINITY) ? remainingMs : deadlineMs;
}
