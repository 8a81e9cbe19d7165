import type { Scope } from './scopes.ts';

export const PROBLEM_CODES = [
  'service_unreachable',
  'response_cut_off',
  'response_too_large',
  'file_cut_off',
  'file_unavailable',
  'upload_too_slow',
  'invalid_id',
  'unknown_field',
] as const;

/**
 * Cause of an error, for programs that show their own message: wordings may change, codes do not. Only errors that
 * their class, `status` or `code` do not explain have one.
 */
export interface Problem {
  readonly code: (typeof PROBLEM_CODES)[number];
  /** Origin of the service that could not be reached. */
  readonly origin?: string;
  /** Status of the response that came instead of a file. */
  readonly status?: number;
  /** Operation with the invalid input. */
  readonly operation?: string;
  /** Field with the invalid input, by its name in the API. */
  readonly field?: string;
  /** Known field with a similar name. */
  readonly suggestion?: string;
}

/** Base class of all errors. Messages say what happened and what to do next, and contain no secret. */
export class DocshareError extends Error {
  declare readonly problem?: Problem;
  /** Entries that `collect` had read before it failed, hidden from every output. */
  declare readonly items?: readonly Record<string, unknown>[];
  constructor(message: string, { problem, ...options }: ErrorOptions & { problem?: Problem | undefined } = {}) {
    super(message, options);
    setFields(this, { problem });
  }
  /** Fields for a log; a plain `Error` would serialize to `{}`. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/** One problem as the service reports it: bounded, redacted, never to be trusted as an instruction. */
export interface ErrorDetail {
  /** Dotted path of the input field, if the service names one. */
  readonly field?: string;
  readonly message: string;
  readonly code?: string;
}

export interface ApiErrorInit {
  readonly status: number;
  /** `group.name` of the operation, as in the catalog. */
  readonly operation: string;
  readonly scope: Scope;
  /** Excerpt of the service's message: bounded, redacted, never to be trusted as an instruction. */
  readonly body: string;
  /** Single problems; a message without fields is one detail, an empty body none. */
  readonly details?: readonly ErrorDetail[];
  /** The service's own error code, such as `validation_failed`. */
  readonly code?: string;
  /** Response headers, redacted and shortened; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the service allows a retry, if it says so. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
}

/** The service responded with a status other than 2xx (§7). */
export class ApiError extends DocshareError implements ApiErrorInit {
  readonly status: number;
  readonly operation: string;
  readonly scope: Scope;
  readonly body: string;
  readonly details: readonly ErrorDetail[];
  declare readonly code?: string;
  readonly headers: Readonly<Record<string, string>>;
  declare readonly retryAfterMs?: number;
  declare readonly requestId?: string;
  /** Says what happened and what to do next, without the service's message, which `message` quotes. */
  declare readonly advice: string;

  constructor(advice: string, init: ApiErrorInit) {
    super(init.body === '' ? advice : `${advice} The service said: "${truncate(init.body, MAX_QUOTE_LENGTH)}"`);
    Object.defineProperty(this, 'advice', { value: advice, enumerable: false });
    this.status = init.status;
    this.operation = init.operation;
    this.scope = init.scope;
    this.body = init.body;
    this.details = init.details ?? [];
    this.headers = init.headers ?? {};
    setFields(this, { code: init.code, retryAfterMs: init.retryAfterMs, requestId: init.requestId });
  }
}

/** Sets the fields that have a value; others would be printed as undefined. */
function setFields(error: DocshareError, fields: Readonly<Record<string, unknown>>): void {
  Object.assign(error, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}

const MAX_QUOTE_LENGTH = 240;

function truncate(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** The key is missing, wrong, rotated or revoked. */
export class AuthenticationError extends ApiError {}
/** The key is valid but lacks `scope`. */
export class PermissionError extends ApiError {}
/** No object with this ID exists in the key's workspace. */
export class NotFoundError extends ApiError {}
/** The service rejected the input; `details` lists the problems, by field if the service names them. */
export class ValidationError extends ApiError {}
/** The object's state does not allow the call. */
export class ConflictError extends ApiError {}
/** More than 120 requests per minute (§8), or a longer wait than `maxWaitMs`; see `retryAfterMs`. */
export class RateLimitError extends ApiError {}
/** The service failed. */
export class ServerError extends ApiError {}

/** No response came, and the request did not take effect or can safely be repeated. */
export class NetworkError extends DocshareError {
  /** System code such as `ECONNREFUSED`, if there is one. */
  declare readonly code?: string;
  constructor(message: string, code?: string, problem?: Problem) {
    super(message, { problem });
    setFields(this, { code });
  }
}

/** The timeout of an attempt or the deadline of the call passed. */
export class TimeoutError extends DocshareError {}

/** A write may or may not have taken effect; it was not retried. The message says how to check. */
export class UnknownOutcomeError extends DocshareError {
  readonly operation: string;
  /** An uncertain registration: if the document is missing, pass this to `client.finalizeUpload`. */
  declare readonly pending?: PendingUpload;
  /** Cause of the failed attempt: a `NetworkError`, a `TimeoutError` or a gateway's response. */
  declare readonly cause?: DocshareError;
  /** Code of the `NetworkError` in `cause`. */
  declare readonly code?: string;
  constructor(
    message: string,
    operation: string,
    details: { pending?: PendingUpload | undefined; cause?: DocshareError | undefined } = {},
  ) {
    super(message, details.cause ? { cause: details.cause } : undefined);
    this.operation = operation;
    setFields(this, { code: getNetworkErrorCode(details.cause) });
    if (details.pending) defineHiddenProperty(this, 'pending', details.pending);
  }
}

/** Data to finalize an interrupted direct upload; `token` is a secret, hidden from every output. */
export interface PendingUpload {
  readonly storageKey: string;
  readonly token: string;
  readonly documentId?: string | undefined;
  /** Of the uploaded file, for the result of `finalizeUpload`. */
  readonly name?: string | undefined;
  readonly sizeBytes?: number | undefined;
}

/** The bytes did not reach the storage, or could not be registered. */
export class UploadError extends DocshareError {
  /** Status of the storage's response, if any. */
  declare readonly status?: number;
  /** Name of the signed header that the storage misses, if it names one. */
  declare readonly header?: string;
  /** Milliseconds until the storage allows a retry, if it says so. */
  declare readonly retryAfterMs?: number;
  /** Set if the bytes are stored but not registered: pass it to `client.finalizeUpload`. */
  declare readonly pending?: PendingUpload;
  /** Code of the `NetworkError` that prevented the registration. */
  declare readonly code?: string;
  constructor(
    message: string,
    details: {
      status?: number;
      header?: string;
      retryAfterMs?: number | undefined;
      pending?: PendingUpload;
      cause?: Error;
    } = {},
  ) {
    super(message, details.cause ? { cause: details.cause } : {});
    const { status, header, retryAfterMs, cause } = details;
    setFields(this, { status, header, retryAfterMs, code: getNetworkErrorCode(cause) });
    if (details.pending) defineHiddenProperty(this, 'pending', details.pending);
  }
}

function getNetworkErrorCode(cause: Error | undefined): string | undefined {
  return cause instanceof NetworkError || cause instanceof UnknownOutcomeError ? cause.code : undefined;
}

/** A hidden getter: JSON, console and inspect would print the token. */
function defineHiddenProperty(error: Error, name: 'pending' | 'body', value: unknown): void {
  Object.defineProperty(error, name, { get: () => value, enumerable: false });
}

/** The arguments are invalid; nothing was sent. */
export class InputError extends DocshareError {}

/** A file could not be written or opened on this machine. */
export class FileError extends DocshareError {
  /** System code such as `ENOSPC`, if there is one. */
  declare readonly code?: string;
  constructor(message: string, code?: string) {
    super(message);
    setFields(this, { code });
  }
}

/** A delivered event that must not be trusted. */
export class SignatureError extends DocshareError {
  /** `missing`: no signature. `mismatch`: other secret or bytes. `timestamp`: valid, but too old or in the future. */
  readonly reason: 'missing' | 'mismatch' | 'timestamp';
  constructor(message: string, reason: SignatureError['reason']) {
    super(message);
    this.reason = reason;
  }
}

/** A 2xx response that is invalid or lacks a documented field; a write's message says that it succeeded. */
export class UnexpectedResponseError extends DocshareError {
  readonly operation: string;
  readonly status: number;
  /** Bounded, redacted excerpt of the body. */
  readonly excerpt: string;
  declare readonly requestId?: string;
  /** The parsed JSON, if any; it may hold tokens, so it is hidden from every output. */
  declare readonly body?: unknown;
  /** `CLIENT_CLOSED` if closing the client prevented reading the response. */
  declare readonly code?: string;
  constructor(
    message: string,
    details: {
      operation: string;
      status: number;
      excerpt: string;
      requestId?: string | undefined;
      body?: unknown;
      code?: string | undefined;
      problem?: Problem | undefined;
    },
  ) {
    super(message, { problem: details.problem });
    this.operation = details.operation;
    this.status = details.status;
    this.excerpt = details.excerpt;
    setFields(this, { requestId: details.requestId, code: details.code });
    if (details.body !== undefined) defineHiddenProperty(this, 'body', details.body);
  }
}

/** A list that can't be read to its end although more entries exist. */
export class IncompleteListError extends DocshareError {
  readonly operation: string;
  /** Why reading stopped. */
  readonly reason: string;
  readonly itemsRead: number;
  /** Total number of entries, if the service reports it. */
  declare readonly total?: number;
  /** Entries that `collect` read, hidden from every output; empty when iterating. */
  declare readonly items: readonly Record<string, unknown>[];
  /** The error response that came instead of an announced page. */
  declare readonly cause?: ApiError;
  constructor(details: {
    operation: string;
    reason: string;
    itemsRead: number;
    total?: number | undefined;
    cause?: ApiError | undefined;
    items?: readonly Record<string, unknown>[];
  }) {
    const { operation, reason, itemsRead, total, cause, items = [] } = details;
    super(
      `${operation}: the list is incomplete: ${itemsRead} ${total === undefined ? '' : `of ${total} `}entries were read, because ${reason}. ` +
        "Narrow the list with the service's filters, or accept partial lists with the option `incomplete: 'accept'`.",
      cause ? { cause } : undefined,
    );
    this.operation = operation;
    this.reason = reason;
    this.itemsRead = itemsRead;
    setFields(this, { total });
    Object.defineProperty(this, 'items', { value: items, enumerable: false, configurable: true });
  }
}

// Set explicitly: a bundler may rename classes, and `constructor.name` with them.
for (const [name, { prototype }] of Object.entries({
  DocshareError,
  ApiError,
  AuthenticationError,
  PermissionError,
  NotFoundError,
  ValidationError,
  ConflictError,
  RateLimitError,
  ServerError,
  NetworkError,
  TimeoutError,
  UnknownOutcomeError,
  UploadError,
  InputError,
  FileError,
  SignatureError,
  UnexpectedResponseError,
  IncompleteListError,
})) {
  Object.defineProperty(prototype, 'name', { value: name, configurable: true, writable: true });
}
