import { createApiError } from '../answer/error-answer.ts';
import { secretsIn } from '../answer/redact.ts';
import { getRequestId, type TextAnswer } from '../answer/response.ts';
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
import {
  backoffMs,
  getErrorCode,
  isClosed,
  isLasting,
  isOutcomeUnknown,
  isRepeatable,
  isStatusRetried,
  isUnsent,
} from '../retry/retry.ts';
import type { TransportResponse } from '../wire/transport.ts';
import type { ClientContext, RequestOptions } from './context.ts';
import type { Failure, Tried } from './rules.ts';

/** A call around its attempts. */
export interface Failing {
  readonly context: ClientContext;
  readonly named: NamedOperation;
  readonly options: RequestOptions;
}

function fail(
  error: DocshareError,
  more: Pick<Failure<never>, 'again'> & Partial<Failure<never>>,
): Failure<never> {
  return { kind: 'failed', error, mayHaveRun: true, ...more };
}

/** Whether sending it twice does what sending it once does, for all that anybody sees. */
function repeats({ named }: Failing, { wire }: Tried): boolean {
  return isRepeatable(wire.method) || named.operation.repeatable === true;
}

/** What a fault means that came instead of an answer. */
export function explainFault(failing: Failing, tried: Tried, fault: unknown): Failure<never> {
  const { context, named } = failing;
  const code = getErrorCode(fault);
  const unsent = isUnsent(fault);
  const error = tried.endedEarly() ? lateness(failing, tried) : unreachable(context, named, { code, unsent });
  const again = !tried.over() && !isLasting(code);
  // Nobody is there: more tries would only use up the limit that they count against.
  if (unsent) return fail(error, { again, mayHaveRun: false, mostRetries: 1 });
  if (repeats(failing, tried)) return fail(error, { again });
  return fail(unknownOutcome(named, error), { again: false });
}

function unreachable(
  context: ClientContext,
  { name }: NamedOperation,
  { code, unsent }: { code: string | undefined; unsent: boolean },
): NetworkError {
  if (isClosed(code))
    return new NetworkError(
      `${name}: the client is closed${unsent ? ', so nothing was sent' : ''}. Make another with createClient.`,
      code,
    );
  const told = code === undefined ? '' : ` (${code})`;
  const advice = isLasting(code)
    ? 'Check the base URL and the certificate'
    : 'Check the base URL and the connection';
  const what = unsent ? 'the service could not be reached at' : 'no whole answer came from';
  return new NetworkError(`${name}: ${what} ${context.origin}${told}. ${advice}.`, code);
}

function lateness({ context, named, options }: Failing, { over }: Tried): TimeoutError {
  return new TimeoutError(
    over()
      ? `${named.name}: no whole answer before the deadline.`
      : `${named.name}: no whole answer within ${options.timeoutMs ?? context.timeoutMs} ms.`,
  );
}

/** A 2xx whose body broke off, or came late: only a request that may run twice is sent again. */
export function explainCut(
  failing: Failing,
  tried: Tried,
  { response, fault }: { response: TransportResponse; fault: unknown },
): Failure<never> {
  const { context, named } = failing;
  const again = repeats(failing, tried);
  if ((tried.endedEarly() || isClosed(getErrorCode(fault))) && again)
    return explainFault(failing, tried, fault);
  const { status, headers } = response;
  const requestId = getRequestId(headers, [context.revealKey()]);
  const error = new UnexpectedResponseError(`${named.name}: the answer (status ${status}) was cut off.`, {
    operation: named.name,
    status,
    excerpt: '',
    ...(requestId === undefined ? {} : { requestId }),
  });
  return fail(error, { again });
}

/** A redirect that is not followed. A 303 to a write mostly says that it ran. */
export function explainRedirect(
  { named }: Failing,
  { status, method, why }: { status: number; method: string; why: string },
): Failure<never> {
  const { name, operation } = named;
  const error = new ApiError(`${name}: ${why}.`, {
    status,
    operation: name,
    scope: operation.scope,
    body: '',
  });
  const mayHaveRun = status === 303 && method !== 'GET' && operation.effect !== 'read';
  return fail(mayHaveRun ? unknownOutcome(named, error, why) : error, { again: false });
}

/** A refusal or a failure; a 429 pauses the queue here, in the task's own turn, so that no other call slips through. */
export function explainStatus(failing: Failing, tried: Tried, answer: TextAnswer): Failure<never> {
  const { context, named } = failing;
  const { method, input } = tried.wire;
  const { status } = answer;
  const secrets = [context.revealKey(), ...secretsIn(input)];
  const error = createApiError(answer, named, { secrets, now: Date.now(), method });
  const repeatable = repeats(failing, tried);
  if (isOutcomeUnknown(status, named.operation.effect, repeatable))
    return fail(unknownOutcome(named, error), { again: false });
  const again = isStatusRetried(status, repeatable);
  const waitMs = error.retryAfterMs ?? backoffMs(tried.turn.attempt, context.retry);
  if (!(error instanceof RateLimitError))
    return fail(error, { again, waitMs, mayHaveRun: status >= 500 || status === 408 });
  context.limiter.pause(waitMs, tried.startedAt);
  return fail(error, { again, waitMs, mayHaveRun: false, held: true });
}

function unknownOutcome(
  { name, group }: NamedOperation,
  cause: DocshareError,
  why?: string,
): UnknownOutcomeError {
  const how =
    why ??
    (cause instanceof ApiError
      ? `the service or a gateway before it answered ${cause.status}`
      : cause instanceof TimeoutError
        ? 'no answer came in time'
        : cause instanceof NetworkError && isClosed(cause.code)
          ? 'the client was closed before an answer came'
          : 'the connection broke before an answer');
  return new UnknownOutcomeError(
    `${name}: ${how}, so it is unknown whether the call took effect; it was not repeated. List the ${group} and look before you try again.`,
    name,
    { cause },
  );
}
