import { failureOf } from '../answer/error-answer.ts';
import { secretsIn } from '../answer/redact.ts';
import { requestIdOf, type TextAnswer } from '../answer/response.ts';
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
  codeOf,
  isLasting,
  isOutcomeUnknown,
  isRepeatable,
  isStatusRetried,
  isUnsent,
} from '../retry/retry.ts';
import type { TransportResponse } from '../wire/transport.ts';
import type { ClientContext } from './context.ts';
import type { CallParams, Turn, Wire } from './wire.ts';

/** How far an attempt got: its answer, another address, or an error and whether the request may be sent again. */
export type AttemptOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'moved'; readonly wire: Wire }
  | Failure;

export interface Failure {
  readonly kind: 'failed';
  readonly error: DocshareError;
  readonly again: boolean;
  /** Whether the service may have acted on it. */
  readonly mayHaveRun: boolean;
  /** Before the next attempt. */
  readonly waitMs: number;
}

/** An attempt and what stands around it. */
interface State {
  readonly context: ClientContext;
  readonly params: Pick<CallParams<unknown>, 'named' | 'wire' | 'options'>;
  readonly turn: Turn;
  readonly startedAt: number;
  /** Whether its timeout, the deadline or the caller ended it. */
  readonly late: () => boolean;
}

function fail(
  { context, turn }: State,
  error: DocshareError,
  more: { again: boolean; mayHaveRun?: boolean; waitMs?: number | undefined },
): Failure {
  const waitMs = Math.min(more.waitMs ?? backoffMs(turn.attempt, context.retry), context.retry.maxDelayMs);
  return { kind: 'failed', error, again: more.again, mayHaveRun: more.mayHaveRun ?? true, waitMs };
}

/** What a fault means that came instead of an answer. */
export function explainFault(state: State, fault: unknown): Failure {
  const { context, params, turn } = state;
  const { named, wire } = params;
  const late = state.late();
  const code = codeOf(fault);
  const error = late ? lateness(state) : unreachable(context, named, code);
  if (!late && isUnsent(code)) return fail(state, error, { again: !isLasting(code), mayHaveRun: false });
  if (isRepeatable(wire.request.method)) return fail(state, error, { again: !turn.lifetime.signal.aborted });
  return fail(state, unknownOutcome(named, error), { again: false });
}

function unreachable(context: ClientContext, { name }: NamedOperation, code?: string): NetworkError {
  const told = code === undefined ? '' : ` (${code})`;
  const advice = isLasting(code)
    ? 'Check the base URL and the certificate'
    : 'Check the base URL and the connection';
  return new NetworkError(
    `${name}: the service could not be reached at ${context.origin}${told}. ${advice}.`,
    code,
  );
}

function lateness({ context, params, turn }: State): TimeoutError {
  const { named, options } = params;
  return new TimeoutError(
    turn.lifetime.signal.aborted
      ? `${named.name}: no whole answer before the deadline.`
      : `${named.name}: no whole answer within ${options.timeoutMs ?? context.timeoutMs} ms.`,
  );
}

/** A 2xx whose body broke off: it ran, so that only a request that may run twice is sent again. */
export function explainCut(state: State, response: TransportResponse, fault: unknown): Failure {
  const { named, wire } = state.params;
  const again = isRepeatable(wire.request.method);
  if (state.late() && again) return explainFault(state, fault);
  const { status, headers } = response;
  const requestId = requestIdOf(headers, [state.context.revealKey()]);
  const done =
    named.operation.effect === 'read' ? '' : ' The call itself succeeded: look before you repeat it.';
  const error = new UnexpectedResponseError(
    `${named.name}: the answer (status ${status}) was cut off.${done}`,
    { operation: named.name, status, excerpt: '', ...(requestId === undefined ? {} : { requestId }) },
  );
  return fail(state, error, { again });
}

export function explainRedirect(state: State, status: number, why: string): Failure {
  const { name, operation } = state.params.named;
  const details = { status, operation: name, scope: operation.scope, body: '' };
  return fail(state, new ApiError(`${name}: ${why}.`, details), { again: false });
}

/** A refusal or a failure; a 429 pauses the queue here, in the task's own turn, so that no other call slips through. */
export function explainStatus(state: State, answer: TextAnswer): Failure {
  const { context, params, startedAt } = state;
  const { named, wire } = params;
  const { method, body } = wire.request;
  const { status } = answer;
  const secrets = [context.revealKey(), ...secretsIn(body)];
  const error = failureOf(answer, named, { secrets, now: Date.now(), method });
  if (isOutcomeUnknown(status, named.operation.effect, method))
    return fail(state, unknownOutcome(named, error), { again: false });
  const failure = fail(state, error, {
    again: isStatusRetried(status, method),
    mayHaveRun: status >= 500 || status === 408,
    waitMs: error.retryAfterMs,
  });
  if (!(error instanceof RateLimitError)) return failure;
  context.limiter.pause(failure.waitMs, startedAt);
  return { ...failure, mayHaveRun: false };
}

function unknownOutcome({ name, group }: NamedOperation, cause: DocshareError): UnknownOutcomeError {
  const how =
    cause instanceof ApiError
      ? `the service or a gateway before it answered ${cause.status}`
      : cause instanceof TimeoutError
        ? 'no answer came in time'
        : 'the connection broke before an answer';
  return new UnknownOutcomeError(
    `${name}: ${how}, so it is unknown whether the call took effect; it was not repeated. List the ${group} and look before you try again.`,
    name,
    { cause },
  );
}
