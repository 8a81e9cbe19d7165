import type { Scope } from './scopes.ts';

/** Base of everything this library throws. Messages say what was wrong and what to do next, and hold no secret. */
export class DocshareError extends Error {
  /** What a log should keep: `Error` itself would turn into `{}`. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/** One thing that the service objects to, in its own words: bounded, redacted, never to be trusted as an instruction. */
export interface ErrorDetail {
  /** Dotted path of the input that it is about, where the service names one. */
  readonly field?: string;
  readonly message: string;
  readonly code?: string;
}

/** What an answer other than 2xx is known to say. */
export interface ApiErrorInit {
  readonly status: number;
  /** `group.name` of the operation, as in the catalogue. */
  readonly operation: string;
  readonly scope: Scope;
  /** Excerpt of the service's own words: bounded, redacted, never to be trusted as an instruction. */
  readonly body: string;
  /** What it objects to, one by one; a message without fields is one detail, silence none. */
  readonly details?: readonly ErrorDetail[];
  /** The service's own code of the failure, such as `validation_failed`. */
  readonly code?: string;
  /** The answer's headers, redacted and clipped; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the service wants to be asked again, where it said so. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
}

/** The service answered with a status other than 2xx (§7). */
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
  /** What happened and what to do next in this library's words alone; `message` also quotes the service. */
  declare readonly advice: string;

  constructor(advice: string, init: ApiErrorInit) {
    super(init.body === '' ? advice : `${advice} It said: "${truncate(init.body, MAX_QUOTE_LENGTH)}"`);
    Object.defineProperty(this, 'advice', { value: advice, enumerable: false });
    this.status = init.status;
    this.operation = init.operation;
    this.scope = init.scope;
    this.body = init.body;
    this.details = init.details ?? [];
    if (init.code !== undefined) this.code = init.code;
    this.headers = init.headers ?? {};
    if (init.retryAfterMs !== undefined) this.retryAfterMs = init.retryAfterMs;
    if (init.requestId !== undefined) this.requestId = init.requestId;
  }
}

/** The most that a message quotes. */
const MAX_QUOTE_LENGTH = 240;

function truncate(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** The key is missing, wrong, rotated or revoked. */
export class AuthenticationError extends ApiError {}
/** The key is good but lacks `scope`. */
export class PermissionError extends ApiError {}
/** No object has this id, or the key's workspace does not hold it. */
export class NotFoundError extends ApiError {}
/** The service refused the input; `details` says why, field by field where it told. */
export class ValidationError extends ApiError {}
/** The object's state does not allow the call. */
export class ConflictError extends ApiError {}
/** More than 120 requests in a minute (§8), or a wait longer than the caller allows; see `retryAfterMs`. */
export class RateLimitError extends ApiError {}
/** The service failed. */
export class ServerError extends ApiError {}

/** No answer came, and the request did not take effect, or repeating it is harmless. */
export class NetworkError extends DocshareError {
  /** System code such as `ECONNREFUSED`, where there is one. */
  declare readonly code?: string;
  constructor(message: string, code?: string) {
    super(message);
    if (code !== undefined) this.code = code;
  }
}

/** The per-attempt timeout or the deadline over all attempts passed. */
export class TimeoutError extends DocshareError {}

/** A create, update or send may or may not have taken effect; it was not repeated. The message says how to check. */
export class UnknownOutcomeError extends DocshareError {
  readonly operation: string;
  /** Set where an upload's registration is in doubt: if the document is not there, `client.finalizeUpload` takes this. */
  declare readonly pending?: PendingUpload;
  /** What ended the attempt: a `NetworkError`, a `TimeoutError` or the answer of a gateway. */
  declare readonly cause?: DocshareError;
  /** Of the `NetworkError` that ended the attempt, where it has one. */
  declare readonly code?: string;
  constructor(
    message: string,
    operation: string,
    details: { pending?: PendingUpload | undefined; cause?: DocshareError | undefined } = {},
  ) {
    super(message, details.cause ? { cause: details.cause } : undefined);
    this.operation = operation;
    const code = getNetworkErrorCode(details.cause);
    if (code !== undefined) this.code = code;
    if (details.pending) defineHiddenProperty(this, 'pending', details.pending);
  }
}

/** What an interrupted direct upload can still be finalized from; `token` is kept out of every print. */
export interface PendingUpload {
  readonly storageKey: string;
  readonly token: string;
  readonly documentId?: string | undefined;
  /** Of the uploaded file, for the result of its registration. */
  readonly name?: string | undefined;
  readonly sizeBytes?: number | undefined;
}

/** The bytes did not reach the storage, or reached it and could not be registered. */
export class UploadError extends DocshareError {
  /** Status of the storage's answer, where it gave one. */
  declare readonly status?: number;
  /** Name of the signed header that the storage misses, where it names one. */
  declare readonly header?: string;
  /** Milliseconds until the storage wants to be asked again, where it said so. */
  declare readonly retryAfterMs?: number;
  /** Set when the bytes are stored but not yet registered: pass it to `client.finalizeUpload`. */
  declare readonly pending?: PendingUpload;
  /** Of the `NetworkError` that kept them from being registered, where it has one. */
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
    if (details.status !== undefined) this.status = details.status;
    if (details.header !== undefined) this.header = details.header;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    const code = getNetworkErrorCode(details.cause);
    if (code !== undefined) this.code = code;
    if (details.pending) defineHiddenProperty(this, 'pending', details.pending);
  }
}

/** What broke a connection, through an error that says what that left open. */
function getNetworkErrorCode(cause: Error | undefined): string | undefined {
  return cause instanceof NetworkError || cause instanceof UnknownOutcomeError ? cause.code : undefined;
}

/** Behind a getter and not enumerable: JSON, console and inspect would print the token. */
function defineHiddenProperty(error: Error, name: 'pending' | 'body', value: unknown): void {
  Object.defineProperty(error, name, { get: () => value, enumerable: false });
}

/** The arguments are wrong; nothing was sent. */
export class InputError extends DocshareError {}

/** A file could not be written on this machine. */
export class FileError extends DocshareError {
  /** System code such as `ENOSPC`, where there is one. */
  declare readonly code?: string;
  constructor(message: string, code?: string) {
    super(message);
    if (code !== undefined) this.code = code;
  }
}

/** A delivered event that must not be believed. */
export class SignatureError extends DocshareError {
  /** `missing`: it carries none. `mismatch`: another secret, or other bytes. `time`: right, but signed too long ago or ahead. */
  readonly reason: 'missing' | 'mismatch' | 'time';
  constructor(message: string, reason: SignatureError['reason']) {
    super(message);
    this.reason = reason;
  }
}

/**
 * A 2xx that is not JSON, is cut off, too large, or lacks what the document promises. Of a write it says first that the
 * act was done.
 */
export class UnexpectedResponseError extends DocshareError {
  readonly operation: string;
  readonly status: number;
  /** Bounded, redacted excerpt of the body. */
  readonly excerpt: string;
  declare readonly requestId?: string;
  /** The parsed JSON, where it was JSON; it may hold tokens, and is kept out of every print. */
  declare readonly body?: unknown;
  /** `CLIENT_CLOSED` where the client's own end kept the answer from being read. */
  declare readonly code?: string;
  constructor(
    message: string,
    details: {
      operation: string;
      status: number;
      excerpt: string;
      requestId?: string;
      body?: unknown;
      code?: string | undefined;
    },
  ) {
    super(message);
    this.operation = details.operation;
    this.status = details.status;
    this.excerpt = details.excerpt;
    if (details.requestId !== undefined) this.requestId = details.requestId;
    if (details.code !== undefined) this.code = details.code;
    if (details.body !== undefined) defineHiddenProperty(this, 'body', details.body);
  }
}

/** A list that can't be read to its end, although the service says that it goes on. */
export class IncompleteListError extends DocshareError {
  readonly operation: string;
  /** Why it ends here. */
  readonly reason: string;
  /** Entries read. */
  readonly itemsRead: number;
  /** Entries that the service counts, where it says so. */
  declare readonly total?: number;
  /** What `collect` had read, in no print of the error; whoever iterates has the items already, and finds none here. */
  declare readonly items: readonly Record<string, unknown>[];
  /** The service's answer in place of a page that it had announced, where that ended the list. */
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
      `${operation}: the list is incomplete: ${itemsRead} ${total === undefined ? '' : `of ${total} `}read. The reason: ${reason}. ` +
        "Narrow the list by the service's own filters, or take what there is with the option `incomplete: 'accept'`.",
      cause ? { cause } : undefined,
    );
    this.operation = operation;
    this.reason = reason;
    this.itemsRead = itemsRead;
    if (total !== undefined) this.total = total;
    Object.defineProperty(this, 'items', { value: items, enumerable: false });
  }
}

// By hand: a bundler may rename classes, and `constructor.name` with them.
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
