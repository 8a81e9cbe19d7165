import type { ZObject } from 'zapier-platform-core';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  DocshareError,
  InputError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
  UploadError,
  ValidationError,
} from './client-core.ts';
import {
  describeClientError,
  describeMissingScope,
  describeNotFound,
  describeRejection,
  describeScope,
  isKeyError,
  isMissingScope,
  quoteResponse,
  truncateMessage,
  type UserMessage,
} from './error-messages.ts';
import { getStepRun } from './step-run.ts';

/** Words of a conflict that does not end by itself: a name is taken, or an agreement was sent. */
const LASTING_CONFLICT_PATTERN = /already[ _](?:been|completed|exist|in[ _]use|sent|signed|taken|used)|duplicate/i;

/** Translates a client error into Zapier's error with a message for the user. Other errors pass through. */
export function toZapierError(z: ZObject, error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
    return createUserError(z, {
      text: 'A field of this step has a value in a form that this app cannot read. Check the mapped values of this step.',
      code: 'invalid_input',
    });
  if (!(error instanceof DocshareError)) return error;
  // A file was stored, but the next call failed: unless its values were rejected, that is an error like any other call's.
  if (error instanceof UploadError && error.cause instanceof ApiError && !isValueRejection(error.cause))
    return toZapierError(z, error.cause);
  if (!(error instanceof ApiError))
    return createUserError(z, describeClientError(error, getStepRun(z).getWriteStatus()));
  const { status, scope } = error;
  if (error instanceof RateLimitError)
    return createThrottledError(z, 'The limit of 120 requests per minute is reached', error);
  if (isKeyError(error))
    return new z.errors.ExpiredAuthError(
      `Docshare rejected this API key: it was revoked, or lacks the permission ${describeScope(scope)}. Check it in Settings → API keys, then reconnect this account.`,
    );
  if (error instanceof PermissionError || error instanceof AuthenticationError)
    return createUserError(z, describeMissingScope(error), status);
  if (error instanceof ConflictError)
    return new z.errors.HaltedError(
      truncateMessage(
        LASTING_CONFLICT_PATTERN.test(error.body)
          ? `Docshare rejected this${quoteResponse(error)}. Change this step, or the record in Docshare, before you replay this run.`
          : `The record's current state does not allow this${quoteResponse(error)}. Check the record in Docshare, then replay this run.`,
      ),
    );
  if (error instanceof NotFoundError) return createUserError(z, describeNotFound(error), status);
  if (error instanceof ValidationError) {
    const text = `Docshare rejected these values${quoteResponse(error)}. Correct the fields of this step and try again.`;
    return createUserError(z, { text, code: 'invalid_input' }, status);
  }
  const rejection = describeRejection(error);
  // Zapier repeats a throttled step by itself: not a write that an error other than 503 may have completed.
  const asksToWait = status >= 500 && error.retryAfterMs !== undefined && !HALTING_CODES.includes(rejection.code);
  if (status === 503 || status === 425 || asksToWait)
    return createThrottledError(z, 'Docshare is temporarily unavailable', error);
  return createUserError(z, rejection, status);
}

/** True if the service may not know an ID: §7 does not show the status for that. */
export function mayBeUnknownId(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ValidationError;
}

export function isTemporary(error: unknown): boolean {
  return [RateLimitError, ServerError, NetworkError, TimeoutError].some((kind) => error instanceof kind);
}

/** For runs that only read and that nobody watches, such as those of an event: Zapier repeats them until the error has passed. */
export function toRepeatedError(z: ZObject, error: unknown): unknown {
  const zapierError = toZapierError(z, error);
  // During maintenance, some services send a web page with status 200.
  const mayPass = isTemporary(error) || error instanceof UnexpectedResponseError;
  if (!mayPass || zapierError instanceof z.errors.ThrottledError) return zapierError;
  return new z.errors.ThrottledError(
    'Docshare had an error or could not be reached. Zapier tries again in 15 minutes.',
    15 * 60,
  );
}

function isValueRejection({ status }: ApiError): boolean {
  return [400, 404, 409, 422].includes(status);
}

const REPLAY_ADVICE = 'Replay this run within a day: completed parts are not repeated.';
const FIX_ADVICE = 'Fix this, then replay this run within a day: completed parts are not repeated.';
const NO_REPLAY_ADVICE = 'Do not replay this run: continue in another Zap or in Docshare.';

/**
 * Error of a step that failed between two calls: what exists, why it stopped, what to do. Unless `isResumable`, another
 * run would repeat the first calls. With `halts`, Zapier does not replay the run automatically.
 */
export function toPartialFailureError(
  z: ZObject,
  error: unknown,
  {
    completed,
    isResumable,
    halts = !isResumable,
    advice = getReplayAdvice(error, isResumable),
  }: { completed: string; isResumable: boolean; halts?: boolean; advice?: string },
): unknown {
  const zapierError = toZapierError(z, error);
  if (!(error instanceof DocshareError)) return zapierError;
  // Zapier retries, and the step continues from the point of failure.
  if (
    isResumable &&
    (zapierError instanceof z.errors.ThrottledError || zapierError instanceof z.errors.ExpiredAuthError)
  )
    return zapierError;
  const remainingLength = 246 - completed.length - advice.length;
  const reason = describeReason(error);
  const shortReason =
    reason.length <= remainingLength ? reason : `${reason.slice(0, Math.max(0, remainingLength - 1))}…`;
  const text = truncateMessage(`${completed} ${shortReason} ${advice}`);
  if (halts) return new z.errors.HaltedError(text);
  return new z.errors.Error(text, 'partly_done', error instanceof ApiError ? error.status : undefined);
}

function getReplayAdvice(error: unknown, isResumable: boolean): string {
  if (!isResumable) return NO_REPLAY_ADVICE;
  return isRejection(error) || error instanceof InputError ? FIX_ADVICE : REPLAY_ADVICE;
}

function describeReason(error: DocshareError): string {
  if (error instanceof UnknownOutcomeError || error instanceof TimeoutError || error instanceof NetworkError)
    return 'Docshare did not confirm the next part.';
  if (error instanceof UnexpectedResponseError) return "Docshare's response to the next part was incomplete.";
  if (!(error instanceof ApiError)) return describeClientError(error).text;
  if (isMissingScope(error)) return `The API key lacks the permission ${describeScope(error.scope)}.`;
  if (error instanceof PermissionError && !isKeyError(error))
    return `Docshare did not allow the next part, which needs the permission ${describeScope(error.scope)}${quoteResponse(error)}.`;
  if (error.status >= 500)
    return `Docshare then had an internal error (status ${error.status})${quoteResponse(error)}.`;
  return `Docshare rejected the next part (status ${error.status})${quoteResponse(error)}.`;
}

function createThrottledError(z: ZObject, problem: string, error: ApiError): Error {
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 60_000) / 1000));
  const minutes = Math.ceil(seconds / 60);
  const delay =
    seconds < 180 ? `${seconds} seconds` : minutes < 180 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
  return new z.errors.ThrottledError(`${problem}. Zapier tries again in ${delay}.`, seconds);
}

/** Codes of errors after which another run may do something twice. */
const HALTING_CODES = ['unknown_outcome', 'partly_done'];

/** Zapier's Autoreplay repeats a failed run, but not a halted one. */
function createUserError(z: ZObject, { text, code }: UserMessage, status?: number): Error {
  const message = truncateMessage(text);
  return HALTING_CODES.includes(code) ? new z.errors.HaltedError(message) : new z.errors.Error(message, code, status);
}

/** True if the service did not do what the request asked for. */
export function isRejection(error: unknown): boolean {
  return error instanceof ApiError && (error.status < 500 || error.status === 503);
}
