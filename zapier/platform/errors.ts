import type { ZObject } from 'zapier-platform-core';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  DocshareError,
  NotFoundError,
  PermissionError,
  RateLimitError,
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
import { runOf } from './run.ts';

/**
 * The platform's error for one of the core's: what happened and what to do, in one plain sentence or two.
 * Anything else (the platform's own errors among it) is passed on as it is.
 */
export function explain(z: ZObject, error: unknown): unknown {
  if (!(error instanceof DocshareError)) return error;
  if (!(error instanceof ApiError)) return userError(z, unanswered(error, runOf(z).wrote()));
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

function throttled(z: ZObject, what: string, error: ApiError): Error {
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 60_000) / 1000));
  return new z.errors.ThrottledError(`${what}. Zapier tries again by itself in ${seconds} s.`, seconds);
}

function userError(z: ZObject, { text, code }: Told, status?: number): Error {
  return new z.errors.Error(clip(text), code, status);
}
