import type { Effect, Method } from './operations/operation.ts';

export interface RetryPolicy {
  /** Attempts beyond the first. */
  readonly retries: number;
  readonly baseDelayMs: number;
  /** No wait, not even one that the service asks for, is longer. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 3, baseDelayMs: 400, maxDelayMs: 120_000 };

const PASSING_STATUSES: readonly number[] = [408, 500, 502, 503, 504];

/** Codes of faults before a connection stood: the request certainly did not run. */
const UNSENT_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
];

/** Whether sending a request twice does what sending it once does. */
export function isRepeatable(method: Method | string): boolean {
  return method === 'GET' || method === 'PUT' || method === 'DELETE';
}

/** Whether a failed status may pass by itself: 429 for every method (it did not run), the rest for repeatable ones. */
export function isStatusRetried(status: number, method: string): boolean {
  return status === 429 || status === 529 || (isRepeatable(method) && PASSING_STATUSES.includes(status));
}

/** Whether a status of a POST or PATCH leaves open if it ran: a gateway's failure says nothing of what stands behind it. */
export function isOutcomeUnknown(status: number, effect: Effect, method: string): boolean {
  return effect !== 'read' && !isRepeatable(method) && (status === 408 || status === 502 || status === 504);
}

export function isUnsent(code: string | undefined): boolean {
  return code !== undefined && UNSENT_CODES.includes(code);
}

/** The system's code of a failed request, wherever the transport put it. */
export function codeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 3) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses of one host were tried: they fail alike.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1);
}

/** Exponential backoff with full jitter over its upper half. */
export function backoffMs(attempt: number, policy: RetryPolicy): number {
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** attempt);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}
