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
} from './core.ts';
import {
  clip,
  isAboutScope,
  missingScope,
  notFound,
  quote,
  refused,
  type Told,
  unanswered,
} from './error-words.ts';
import { getStepRun } from './run.ts';

/**
 * The platform's error for one of the core's: what happened and what to do, in one plain sentence or two.
 * Anything else (the platform's own errors among it) is passed on as it is.
 */
export function explain(z: ZObject, error: unknown): unknown {
  if (!(error instanceof DocshareError)) return error;
  if (!(error instanceof ApiError)) return userError(z, unanswered(error, getStepRun(z).wrote()));
  const { status, scope } = error;
  if (error instanceof RateLimitError)
    return throttled(z, 'The limit of 120 requests a minute is used up', error);
  if (error instanceof PermissionError || (status === 401 && isAboutScope(error)))
    return userError(z, missingScope(error), status);
  if (error instanceof AuthenticationError)
    return new z.errors.ExpiredAuthError(
      `Docshare refused this API key: it was revoked, or lacks the scope ${scope}. Check it in Settings → API keys, then reconnect this account.`,
    );
  if (error instanceof ConflictError)
    return new z.errors.HaltedError(
      clip(
        `Docshare could not do this in the record's present state${quote(error)}. Check the record, then replay.`,
      ),
    );
  if (error instanceof NotFoundError) return userError(z, notFound(error), status);
  if (error instanceof ValidationError) {
    const text = `Docshare refused the values${quote(error)}. Correct the fields of this step and try again.`;
    return userError(z, { text, code: 'invalid_input' }, status);
  }
  if (status === 503 || (status >= 500 && error.retryAfterMs !== undefined) || status === 425)
    return throttled(z, 'Docshare is not available at the moment', error);
  return userError(z, refused(error), status);
}

const GOES_ON = 'Replay this run when that is mended: what is done is not done twice.';
const GOES_NOT_ON = 'Do not replay this run: go on from there in another Zap, or in Docshare.';

/**
 * The error of a step that failed between two of its calls: what exists comes first, then why it went no further, then
 * what to do. Where nothing could be `kept` of the first calls, a run that is begun anew would do them again.
 */
export function explainAfter(
  z: ZObject,
  error: unknown,
  { done, kept, advice = kept ? GOES_ON : GOES_NOT_ON }: { done: string; kept: boolean; advice?: string },
): unknown {
  const told = explain(z, error);
  if (!(error instanceof DocshareError)) return told;
  // The platform comes back by itself, and the step goes on from where it was.
  if (kept && (told instanceof z.errors.ThrottledError || told instanceof z.errors.ExpiredAuthError))
    return told;
  const room = 246 - done.length - advice.length;
  const why = reason(error);
  const short = why.length <= room ? why : `${why.slice(0, Math.max(0, room - 1))}…`;
  const text = clip(`${done} ${short} ${advice}`);
  // The platform begins a halted run by itself no second time.
  if (!kept) return new z.errors.HaltedError(text);
  return new z.errors.Error(text, 'partly_done', error instanceof ApiError ? error.status : undefined);
}

function reason(error: DocshareError): string {
  if (error instanceof UnknownOutcomeError || error instanceof TimeoutError || error instanceof NetworkError)
    return 'No clear answer came to what followed.';
  if (error instanceof UnexpectedResponseError)
    return 'The answer to what followed lacks what this step needs.';
  if (!(error instanceof ApiError)) return unanswered(error).text;
  if (error instanceof PermissionError || isAboutScope(error))
    return `The API key lacks the scope ${error.scope}.`;
  if (error.status >= 500) return `Docshare itself failed then (status ${error.status})${quote(error)}.`;
  return `Docshare refused what followed (status ${error.status})${quote(error)}.`;
}

function throttled(z: ZObject, what: string, error: ApiError): Error {
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 60_000) / 1000));
  const minutes = Math.ceil(seconds / 60);
  const pause =
    seconds < 180
      ? `${seconds} s`
      : minutes < 180
        ? `${minutes} minutes`
        : `${Math.ceil(minutes / 60)} hours`;
  return new z.errors.ThrottledError(`${what}. Zapier tries again by itself in ${pause}.`, seconds);
}

function userError(z: ZObject, { text, code }: Told, status?: number): Error {
  return new z.errors.Error(clip(text), code, status);
}
