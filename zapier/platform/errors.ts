import type { ZObject } from 'zapier-platform-core';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  DocshareError,
  IncompleteListError,
  InputError,
  NotFoundError,
  operations,
  PermissionError,
  RateLimitError,
  UnexpectedResponseError,
  UnknownOutcomeError,
  UploadError,
  ValidationError,
} from './core.ts';

/** The platform refuses longer messages. */
const MESSAGE_LIMIT = 249;

/**
 * The platform's error for one of the core's: what happened and what to do, in one plain sentence or two.
 * Anything else (the platform's own errors among it) is passed on as it is.
 */
export function explain(z: ZObject, error: unknown): unknown {
  if (!(error instanceof DocshareError)) return error;
  if (error instanceof RateLimitError)
    return throttled(z, 'The limit of 120 requests a minute is used up', error);
  if (error instanceof AuthenticationError)
    return new z.errors.ExpiredAuthError(
      `Docshare refused this API key: it was revoked, or lacks the scope ${error.scope}. Check it in Settings → API keys, then reconnect this account.`,
    );
  if (error instanceof PermissionError)
    return userError(z, {
      text: `The API key lacks a permission. Give it the scope ${error.scope} in Settings → API keys, then try again.`,
      code: 'missing_scope',
      error,
    });
  if (error instanceof ConflictError)
    return new z.errors.HaltedError(
      clip(
        `Docshare could not do this in the record's present state${quote(error)}. Check the record, then replay.`,
      ),
    );
  if (error instanceof NotFoundError && isWholeList(error.operation))
    return userError(z, {
      text: `Docshare has nothing at this address. Check that the connection's base URL ends in /api/v1 and its key has the scope ${error.scope}.`,
      code: 'not_found',
      error,
    });
  if (error instanceof NotFoundError)
    return userError(z, {
      text: `Docshare does not know this ${nounOf(error.operation)}: it may have been deleted. Pick another one in this step.`,
      code: 'not_found',
      error,
    });
  if (error instanceof ValidationError)
    return userError(z, {
      text: `Docshare refused the values${quote(error)}. Correct the fields of this step and try again.`,
      code: 'invalid_input',
      error,
    });
  if (error instanceof ApiError && (error.status === 503 || error.retryAfterMs !== undefined))
    return throttled(z, 'Docshare is not available at the moment', error);
  if (error instanceof ApiError)
    return userError(z, {
      text: `Docshare failed (status ${error.status})${quote(error)}. Try again later.`,
      code: 'service_failed',
      error,
    });
  return plain(z, error);
}

function plain(z: ZObject, error: DocshareError): Error {
  if (error instanceof UnknownOutcomeError) {
    const came =
      error.cause instanceof UnexpectedResponseError
        ? 'A web page came in answer: check that the base URL of the connection ends in /api/v1'
        : 'No clear answer came';
    return new z.errors.Error(
      `${came}, so this may or may not have been done. Look for the ${nounOf(error.operation)} in Docshare before you replay this step.`,
      'unknown_outcome',
    );
  }
  if (error instanceof UnexpectedResponseError && isWrite(error.operation))
    return new z.errors.Error(
      `Docshare has done this, but its answer lacks what the next steps need. Do not replay this step: look for the ${nounOf(error.operation)} in Docshare.`,
      'unexpected_answer',
    );
  if (error instanceof IncompleteListError)
    return new z.errors.Error(
      `Docshare did not give the whole list (${error.read} records came), so what you look for may be missing from it. Pick the record in a drop-down or by its ID.`,
      'incomplete_list',
    );
  if (error instanceof UnexpectedResponseError)
    return new z.errors.Error(
      'Docshare answered in a form that this app does not understand. Check that the base URL of the connection ends in /api/v1.',
      'unexpected_answer',
    );
  if (error instanceof UploadError)
    return new z.errors.Error(clip(`The file was not stored: ${error.message}`), 'upload_failed');
  if (error instanceof InputError) return new z.errors.Error(clip(error.message), 'invalid_input');
  return new z.errors.Error(clip(error.message), 'not_done');
}

function throttled(z: ZObject, what: string, error: ApiError): Error {
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 60_000) / 1000));
  return new z.errors.ThrottledError(`${what}. Zapier tries again by itself in ${seconds} s.`, seconds);
}

function userError(z: ZObject, params: { text: string; code: string; error: ApiError }): Error {
  return new z.errors.Error(clip(params.text), params.code, params.error.status);
}

/** The service's own words, short enough that the advice after them is never cut off. */
function quote(error: ApiError): string {
  const words = error.body.slice(0, 110).trim();
  return words === '' ? '' : `: "${words}${error.body.length > 110 ? '…' : ''}"`;
}

function clip(text: string): string {
  return text.length <= MESSAGE_LIMIT ? text : `${text.slice(0, MESSAGE_LIMIT - 1)}…`;
}

/** A read that names no record can't have missed one: the address or the key is at fault. */
function isWholeList(name: string): boolean {
  const route = operations.find((one) => one.name === name)?.operation.route;
  return route?.startsWith('GET ') === true && !route.includes('{');
}

function isWrite(name: string): boolean {
  return operations.find((one) => one.name === name)?.operation.effect !== 'read';
}

function nounOf(operation: string): string {
  const [group = 'records'] = operation.split('.');
  return group === 'billing' || group === 'analytics' ? 'record' : group.replace(/s$/, '');
}
