import type { Effect, Method } from '../operations/operation.ts';

export interface RetryPolicy {
  /** Attempts beyond the first. */
  readonly retries: number;
  readonly baseDelayMs: number;
  /** The longest back-off; a time that the service gives is never cut. */
  readonly maxDelayMs: number;
}

/** A storage that asks for a longer wait is not waited for: no deadline bounds its bytes. */
export const MAX_STORAGE_WAIT_MS = 300_000;

export const DEFAULT_RETRY: RetryPolicy = { retries: 3, baseDelayMs: 400, maxDelayMs: 120_000 };

const TRANSIENT_STATUSES: readonly number[] = [408, 500, 502, 503, 504];

/** Codes of faults before a connection stood: the request certainly did not run. */
const CONNECT_ERROR_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** An untrusted certificate, which the next attempt would meet too. */
const CERTIFICATE_ERROR_CODE =
  /^(?:CERT_|UNABLE_TO_|ERR_TLS_CERT_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_|HOSTNAME_MISMATCH$)/;

/** An impossible address or header, which nothing sends. */
const INVALID_REQUEST_CODES: readonly string[] = ['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG'];

/** Of every error that comes of a closed client, whatever it did just then. */
export const CLIENT_CLOSED_CODE = 'CLIENT_CLOSED';

/** What the client's own connections say when they are closed. */
const CLOSED_CONNECTION_CODES: readonly string[] = ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'];

/** Whether sending a request twice does what sending it once does. */
export function isRepeatable(method: Method | string): boolean {
  return method === 'GET' || method === 'PUT' || method === 'DELETE';
}

/** Whether a failed status may pass by itself: 425 and 429 for every method (it did not run), the rest for repeatable ones. */
export function isRetryableStatus(status: number, repeatable: boolean): boolean {
  if (status === 425 || status === 429 || status === 529) return true;
  return repeatable && (TRANSIENT_STATUSES.includes(status) || isEdgeNetworkStatus(status));
}

/** Whether a storage may accept the same bytes at a fresh one-time address: 410 says that the old one is gone. */
export function isUploadRetried(status: number): boolean {
  return status === 410 || isRetryableStatus(status, true);
}

/** Whether a request that failed with this status may have run all the same; any other rejection means that it did not. */
export function mayHaveRun(status: number): boolean {
  return status >= 500 || status === 408;
}

/** Statuses with which an edge network says that it lost the service behind it. */
function isEdgeNetworkStatus(status: number): boolean {
  return status >= 520 && status <= 527;
}

/**
 * Whether a status of a POST or PATCH leaves open if it ran: a gateway's failure says nothing of what stands behind it.
 * 500 and 503 are the service's own word, and §7 calls them failures: those stay errors of the service.
 */
export function isOutcomeUnknown(status: number, effect: Effect, repeatable: boolean): boolean {
  if (effect === 'read' || repeatable) return false;
  return status === 408 || status === 502 || status === 504 || isEdgeNetworkStatus(status);
}

/** Whether a fault ended the request before any of it was sent: by its code, or because the transport says so. */
export function isRequestUnsent(fault: unknown): boolean {
  if (fault instanceof Error && 'unsent' in fault && fault.unsent === true) return true;
  const code = getErrorCode(fault);
  return code !== undefined && (CONNECT_ERROR_CODES.includes(code) || isInvalidRequest(code));
}

/** Whether the next attempt would end alike. */
export function isPermanentFailure(code: string | undefined): boolean {
  return code !== undefined && (isInvalidRequest(code) || isClientClosed(code));
}

export function isClientClosed(code: string | undefined): boolean {
  return code === CLIENT_CLOSED_CODE;
}

function isInvalidRequest(code: string): boolean {
  return CERTIFICATE_ERROR_CODE.test(code) || INVALID_REQUEST_CODES.includes(code);
}

/**
 * The system's code of a failed request, wherever the transport put it, or that of a closed client; nothing that is not
 * shaped like a code.
 */
export function getErrorCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 3) return undefined;
  if ('code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(error.code))
    return CLOSED_CONNECTION_CODES.includes(error.code) ? CLIENT_CLOSED_CODE : error.code;
  // Several addresses of one host were tried: they fail alike.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return getErrorCode(inner, depth + 1);
}

/** Exponential backoff with jitter over its upper half. */
export function getBackoffMs(attempt: number, policy: RetryPolicy): number {
  const maxMs = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** attempt);
  return maxMs / 2 + (Math.random() * maxMs) / 2;
}
