import type { Effect, Method } from '../operations/operation.ts';

export interface RetryPolicy {
  /** Maximum retries. */
  readonly retries: number;
  readonly baseDelayMs: number;
  /** Maximum back-off; a wait that the service requests is never shortened. */
  readonly maxDelayMs: number;
}

/** Maximum wait that a storage may request: its transfers have no deadline. */
export const MAX_STORAGE_WAIT_MS = 300_000;

export const DEFAULT_RETRY: RetryPolicy = { retries: 3, baseDelayMs: 400, maxDelayMs: 120_000 };

const TRANSIENT_STATUSES: readonly number[] = [408, 500, 502, 503, 504];

/** Errors before a connection exists: the request certainly did not run. */
const CONNECT_ERROR_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** An untrusted certificate, which a retry would meet again. */
const CERTIFICATE_ERROR_CODE =
  /^(?:CERT_|UNABLE_TO_|ERR_TLS_CERT_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_|HOSTNAME_MISMATCH$)/;

/** An invalid URL or header, which can't be sent. */
const INVALID_REQUEST_CODES: readonly string[] = ['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG'];

/** Code of every error that closing the client causes. */
export const CLIENT_CLOSED_CODE = 'CLIENT_CLOSED';

/** Codes of undici for closed connections. */
const CLOSED_CONNECTION_CODES: readonly string[] = ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'];

/** Returns true if repeating a request has the same effect as sending it once. */
export function isRepeatable(method: Method | string): boolean {
  return method === 'GET' || method === 'PUT' || method === 'DELETE';
}

/** Returns true for temporary failures: 425 and 429 for every method (it did not run), others if repeatable. */
export function isRetryableStatus(status: number, repeatable: boolean): boolean {
  if (status === 425 || status === 429 || status === 529) return true;
  return repeatable && (TRANSIENT_STATUSES.includes(status) || isEdgeNetworkStatus(status));
}

/** Returns true if a request that failed with this status may have run; any other rejection means that it did not. */
export function mayHaveRun(status: number): boolean {
  return status >= 500 || status === 408;
}

/** Statuses of an edge network that lost the service behind it. */
function isEdgeNetworkStatus(status: number): boolean {
  return status >= 520 && status <= 527;
}

/**
 * Returns true if a POST or PATCH with this status may have run: a gateway does not know. 500 and 503 come from the
 * service itself, and §7 calls them failures.
 */
export function isOutcomeUnknown(status: number, effect: Effect, repeatable: boolean): boolean {
  if (effect === 'read' || repeatable) return false;
  return status === 408 || status === 502 || status === 504 || isEdgeNetworkStatus(status);
}

/** Returns true if an error ended the request before it was sent, by its code or the transport's `unsent`. */
export function isRequestUnsent(fault: unknown): boolean {
  if (fault instanceof Error && 'unsent' in fault && fault.unsent === true) return true;
  const code = getErrorCode(fault);
  return code !== undefined && (CONNECT_ERROR_CODES.includes(code) || isInvalidRequest(code));
}

/** Returns true if a retry would fail the same way. */
export function isPermanentFailure(code: string | undefined): boolean {
  return code !== undefined && (isInvalidRequest(code) || isClientClosed(code));
}

export function isClientClosed(code: string | undefined): boolean {
  return code === CLIENT_CLOSED_CODE;
}

function isInvalidRequest(code: string): boolean {
  return CERTIFICATE_ERROR_CODE.test(code) || INVALID_REQUEST_CODES.includes(code);
}

/** Returns the code of an error or its causes, or `CLIENT_CLOSED`; ignores anything not like a code. */
export function getErrorCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 3) return undefined;
  if ('code' in error && typeof error.code === 'string' && /^(?:[A-Z][A-Z0-9_]{2,40}|ZSTD_\w{2,40})$/.test(error.code))
    return CLOSED_CONNECTION_CODES.includes(error.code) ? CLIENT_CLOSED_CODE : error.code;
  // All addresses of a host failed; they fail alike.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return getErrorCode(inner, depth + 1);
}

/** Exponential back-off with jitter over its upper half. */
export function getBackoffMs(attempt: number, policy: RetryPolicy): number {
  const maxMs = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** attempt);
  return maxMs / 2 + (Math.random() * maxMs) / 2;
}
