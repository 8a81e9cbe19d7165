import type { ResponseHead } from '../answer/response-head.ts';
import type { DocshareError } from '../errors.ts';
import type { Limiter, Wait } from '../limit/limiter.ts';
import type { RetryPolicy } from '../retry/retry.ts';
import type { Transport } from '../wire/transport.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Structured log lines; fields never hold a key, an address or a body. Silent unless given. */
export type Logger = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

export interface ResponseSeen {
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId?: string;
}

/** Called as things happen; what they throw is the caller's own fault and ends the call. */
export interface Hooks {
  onRequest?(request: { operation: string; method: string }): void;
  onResponse?(response: ResponseSeen): void;
  onWait?(wait: Wait & { operation: string }): void;
  onRetry?(retry: { operation: string; attempt: number; waitMs: number; error: DocshareError }): void;
}

/** Per call; each wins over the client's own. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** For one attempt, from its start to its last byte. */
  readonly timeoutMs?: number;
  /** For all attempts and waits together, the wait for the rate limit included. */
  readonly deadlineMs?: number;
  /** The longest wait for the rate limit; past it the call ends in a RateLimitError that says when to come back. */
  readonly maxWaitMs?: number;
  /** Higher starts earlier where calls queue; 0 unless told. */
  readonly priority?: number;
  /** Told when the call has to wait for the rate limit, and again when a pause makes the wait longer. */
  readonly onWait?: (wait: Wait) => void;
  readonly onResponse?: (head: ResponseHead) => void;
}

/** What every call of a client shares. */
export interface ClientContext {
  /** A function, so that no print of the context shows the key. */
  readonly revealKey: () => string;
  readonly baseUrl: string;
  readonly origin: string;
  readonly transport: Transport;
  readonly limiter: Limiter;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  /** Undefined: 5 minutes from the start of the first attempt. */
  readonly deadlineMs: number | undefined;
  readonly maxWaitMs: number;
  readonly hooks: Hooks;
  readonly log: Logger;
}
