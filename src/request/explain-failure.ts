import { createApiError } from '../api-errors/from-response.ts';
import { getRequestId, type TextResponse } from '../api-errors/text-response.ts';
import {
  ApiError,
  type DocshareError,
  NetworkError,
  RateLimitError,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
} from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import { findSecrets } from '../redact/redact.ts';
import {
  getBackoffMs,
  getErrorCode,
  isClientClosed,
  isOutcomeUnknown,
  isPermanentFailure,
  isRepeatable,
  isRequestUnsent,
  isRetryableStatus,
  mayHaveRun,
} from '../retry/retry.ts';
import { explainConnectionError } from '../transport/explain-connection.ts';
import type { TransportResponse } from '../transport/transport.ts';
import type { ClientContext, RequestOptions } from './client-context.ts';
import { describeBodyFault } from './read-response-text.ts';
import type { AttemptInfo, Failure } from './request-policy.ts';

export interface FailureContext {
  readonly context: ClientContext;
  readonly named: NamedOperation;
  readonly options: RequestOptions;
}

function createFailure(
  error: DocshareError,
  details: Pick<Failure<never>, 'retryable'> & Partial<Failure<never>>,
): Failure<never> {
  return { kind: 'failed', error, mayHaveRun: true, ...details };
}

/** Returns true if repeating the request has no visible effect. */
function isSafeToRepeat({ named }: FailureContext, { request }: AttemptInfo): boolean {
  return isRepeatable(request.method) || named.operation.repeatable === true;
}

/** Explains an error that came instead of a response. */
export function explainFault(failureContext: FailureContext, attemptInfo: AttemptInfo, fault: unknown): Failure<never> {
  const { context, named } = failureContext;
  const code = getErrorCode(fault);
  const unsent = isRequestUnsent(fault);
  const error = attemptInfo.isEndedEarly()
    ? createTimeoutError(failureContext, attemptInfo)
    : createUnreachableError(context, named, { fault, code, unsent });
  const retryable = !attemptInfo.isFinal() && !isPermanentFailure(code);
  // Unreachable: more attempts would only use up the rate limit.
  if (unsent) return createFailure(error, { retryable, mayHaveRun: false, maxRetries: 1 });
  if (isSafeToRepeat(failureContext, attemptInfo)) return createFailure(error, { retryable });
  return createFailure(createUnknownOutcomeError(named, error), { retryable: false });
}

function createUnreachableError(
  context: ClientContext,
  { name }: NamedOperation,
  { fault, code, unsent }: { fault: unknown; code: string | undefined; unsent: boolean },
): NetworkError {
  if (isClientClosed(code))
    return new NetworkError(
      `${name}: the client is closed${unsent ? ', so nothing was sent' : ''}. Create another with createClient.`,
      code,
    );
  const codeText = code === undefined ? '' : ` (${code})`;
  const description = unsent ? 'the service could not be reached at' : 'no complete response from';
  const explanation =
    explainConnectionError(fault, context.origin) ??
    `${description} ${context.origin}${codeText}. Check the base URL and the connection`;
  return new NetworkError(`${name}: ${explanation}.`, code, { code: 'service_unreachable', origin: context.origin });
}

function createTimeoutError({ context, named, options }: FailureContext, { isFinal }: AttemptInfo): TimeoutError {
  return new TimeoutError(
    isFinal()
      ? `${named.name}: no complete response before the deadline.`
      : `${named.name}: no complete response within ${options.timeoutMs ?? context.timeoutMs} ms.`,
  );
}

/** Explains a 2xx with a truncated or late body: only repeatable requests are sent again. */
export function explainTruncated(
  failureContext: FailureContext,
  attemptInfo: AttemptInfo,
  { response, fault }: { response: TransportResponse; fault: unknown },
): Failure<never> {
  const { context, named } = failureContext;
  const retryable = isSafeToRepeat(failureContext, attemptInfo);
  if ((attemptInfo.isEndedEarly() || isClientClosed(getErrorCode(fault))) && retryable)
    return explainFault(failureContext, attemptInfo, fault);
  const { status, headers } = response;
  const requestId = getRequestId(headers, [context.revealKey()]);
  const error = new UnexpectedResponseError(
    `${named.name}: the response (status ${status}) ${describeBodyFault(fault, response)}.`,
    {
      operation: named.name,
      status,
      excerpt: '',
      problem: { code: 'response_cut_off' },
      ...(requestId === undefined ? {} : { requestId }),
    },
  );
  return createFailure(error, { retryable });
}

/** Explains a redirect that is not followed. A 303 to a write usually means that it ran. */
export function explainRedirect(
  { named }: FailureContext,
  { status, method, reason }: { status: number; method: string; reason: string },
): Failure<never> {
  const { name, operation } = named;
  const error = new ApiError(`${name}: ${reason}.`, { status, operation: name, scope: operation.scope, body: '' });
  const mayHaveRun = status === 303 && method !== 'GET' && operation.effect !== 'read';
  return createFailure(mayHaveRun ? createUnknownOutcomeError(named, error, reason) : error, { retryable: false });
}

/** Explains a rejection; a 429 pauses the queue immediately, so no other call starts first. */
export function explainRejection(
  failureContext: FailureContext,
  attemptInfo: AttemptInfo,
  textResponse: TextResponse,
): Failure<never> {
  const { context, named } = failureContext;
  const { method, input } = attemptInfo.request;
  const { status } = textResponse;
  const secrets = [context.revealKey(), ...findSecrets(input)];
  const error = createApiError(textResponse, named, { secrets, now: Date.now(), method });
  const repeatable = isSafeToRepeat(failureContext, attemptInfo);
  if (isOutcomeUnknown(status, named.operation.effect, repeatable))
    return createFailure(createUnknownOutcomeError(named, error), { retryable: false });
  const retryable = isRetryableStatus(status, repeatable);
  const waitMs = error.retryAfterMs ?? getBackoffMs(attemptInfo.state.attempt, context.retry);
  if (!(error instanceof RateLimitError))
    return createFailure(error, { retryable, waitMs, mayHaveRun: mayHaveRun(status) });
  context.limiter.pause(waitMs, attemptInfo.startedAt);
  return createFailure(error, { retryable, waitMs, mayHaveRun: false, alreadyDelayed: true });
}

function createUnknownOutcomeError(
  { name, group }: NamedOperation,
  cause: DocshareError,
  reason?: string,
): UnknownOutcomeError {
  const description =
    reason ??
    (cause instanceof ApiError
      ? `the service or a gateway responded with status ${cause.status}`
      : cause instanceof TimeoutError
        ? 'no response came in time'
        : cause instanceof NetworkError && isClientClosed(cause.code)
          ? 'the client was closed before a response came'
          : 'the connection failed before a response');
  return new UnknownOutcomeError(
    `${name}: ${description}, so it is unknown whether the call took effect. It was not retried. List the ${group} to check before you try again.`,
    name,
    { cause },
  );
}
