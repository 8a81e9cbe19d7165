import type { ZObject } from 'zapier-platform-core';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  DocshareError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
  ValidationError,
} from './client-core.ts';
import {
  clientErrorMessage,
  isScopeError,
  missingScopeMessage,
  notFoundMessage,
  quoteResponse,
  rejectionMessage,
  truncateMessage,
  type UserMessage,
} from './error-messages.ts';
import { getStepRun } from './step-run.ts';

/**
 * The platform's error for one of the core's: what happened and what to do, in one plain sentence or two.
 * Anything else (the platform's own errors among it) is passed on as it is.
 */
export function toZapierError(z: ZObject, error: unknown): unknown {
  if (!(error instanceof DocshareError)) return error;
  if (!(error instanceof ApiError))
    return userError(z, clientErrorMessage(error, getStepRun(z).getWriteStatus()));
  const { status, scope } = error;
  if (error instanceof RateLimitError)
    return throttledError(z, 'The limit of 120 requests a minute is used up', error);
  if (error instanceof PermissionError || (status === 401 && isScopeError(error)))
    return userError(z, missingScopeMessage(error), status);
  if (error instanceof AuthenticationError)
    return new z.errors.ExpiredAuthError(
      `Docshare refused this API key: it was revoked, or lacks the scope ${scope}. Check it in Settings → API keys, then reconnect this account.`,
    );
  if (error instanceof ConflictError)
    return new z.errors.HaltedError(
      truncateMessage(
        `Docshare could not do this in the record's present state${quoteResponse(error)}. Check the record, then replay.`,
      ),
    );
  if (error instanceof NotFoundError) return userError(z, notFoundMessage(error), status);
  if (error instanceof ValidationError) {
    const text = `Docshare refused the values${quoteResponse(error)}. Correct the fields of this step and try again.`;
    return userError(z, { text, code: 'invalid_input' }, status);
  }
  if (status === 503 || (status >= 500 && error.retryAfterMs !== undefined) || status === 425)
    return throttledError(z, 'Docshare is not available at the moment', error);
  return userError(z, rejectionMessage(error), status);
}

const REPLAY_ADVICE = 'Replay this run when that is mended: what is done is not done twice.';
const NO_REPLAY_ADVICE = 'Do not replay this run: go on from there in another Zap, or in Docshare.';

/**
 * The error of a step that failed between two of its calls: what exists comes first, then why it went no further, then
 * what to do. Where nothing could be `isResumable` of the first calls, a run that is begun anew would do them again.
 */
export function toPartialFailureError(
  z: ZObject,
  error: unknown,
  {
    completed,
    isResumable,
    advice = isResumable ? REPLAY_ADVICE : NO_REPLAY_ADVICE,
  }: { completed: string; isResumable: boolean; advice?: string },
): unknown {
  const zapierError = toZapierError(z, error);
  if (!(error instanceof DocshareError)) return zapierError;
  // The platform comes back by itself, and the step goes on from where it was.
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
  // The platform begins a halted run by itself no second time.
  if (!isResumable) return new z.errors.HaltedError(text);
  return new z.errors.Error(text, 'partly_done', error instanceof ApiError ? error.status : undefined);
}

function describeReason(error: DocshareError): string {
  if (error instanceof UnknownOutcomeError || error instanceof TimeoutError || error instanceof NetworkError)
    return 'No clear answer came to what followed.';
  if (error instanceof UnexpectedResponseError)
    return 'The answer to what followed lacks what this step needs.';
  if (!(error instanceof ApiError)) return clientErrorMessage(error).text;
  if (error instanceof PermissionError || isScopeError(error))
    return `The API key lacks the scope ${error.scope}.`;
  if (error.status >= 500)
    return `Docshare itself failed then (status ${error.status})${quoteResponse(error)}.`;
  return `Docshare refused what followed (status ${error.status})${quoteResponse(error)}.`;
}

function throttledError(z: ZObject, problem: string, error: ApiError): Error {
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 60_000) / 1000));
  const minutes = Math.ceil(seconds / 60);
  const delay =
    seconds < 180
      ? `${seconds} s`
      : minutes < 180
        ? `${minutes} minutes`
        : `${Math.ceil(minutes / 60)} hours`;
  return new z.errors.ThrottledError(`${problem}. Zapier tries again by itself in ${delay}.`, seconds);
}

function userError(z: ZObject, { text, code }: UserMessage, status?: number): Error {
  return new z.errors.Error(truncateMessage(text), code, status);
}
