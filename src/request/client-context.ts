import type { OptionNames } from '../option-names.ts';
import type { ActiveProfile } from '../profile/active-profile.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { Wait } from '../rate-limit/wait-queue.ts';
import type { ResponseHead } from '../response/response-head.ts';
import type { RetryPolicy } from '../retry/retry.ts';
import type { Transport } from '../transport/transport.ts';
import type { CustomHeaders } from './custom-headers.ts';
import type { Logger } from './hooks.ts';
import type { Observer } from './observer.ts';

/** Options of one call, which override the client's. Undefined means not set. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt, from its start to its last byte. */
  readonly timeoutMs?: number | undefined;
  /** Deadline for all attempts and waits, including the rate limit. */
  readonly deadlineMs?: number | undefined;
  /** Maximum wait for the rate limit; a longer one throws a RateLimitError with `retryAfterMs`. */
  readonly maxWaitMs?: number | undefined;
  /** Maximum retries; 0 for none. */
  readonly retries?: number | undefined;
  /** Headers of the call's requests to the API, overriding the client's; never sent to a storage. */
  readonly headers?: CustomHeaders | undefined;
  /** Calls with a higher priority start earlier. Default: 0. */
  readonly priority?: number | undefined;
  /** Called when the call has to wait for the rate limit, and again when a pause makes the wait longer. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Called when an attempt is sent: from then on it may have taken effect. */
  readonly onRequest?: ((request: { readonly operation: string; readonly method: string }) => void) | undefined;
  readonly onResponse?: ((head: ResponseHead) => void) | undefined;
}

export const REQUEST_OPTION_NAMES: OptionNames<RequestOptions> = {
  signal: true,
  timeoutMs: true,
  deadlineMs: true,
  maxWaitMs: true,
  retries: true,
  headers: true,
  priority: true,
  onWait: true,
  onRequest: true,
  onResponse: true,
};

/** Shared by all requests of a client, also to storages. */
export interface ExchangeContext {
  readonly transport: Transport;
  readonly retry: RetryPolicy;
  /** Unset without hooks and logger. */
  readonly observer?: Observer | undefined;
  /** Aborts when the client is closed, which ends its waits and requests. */
  readonly closing?: AbortSignal;
}

/** Shared by all calls of a client. */
export interface ClientContext extends ExchangeContext {
  /** A function, so printing the context never shows the key. */
  readonly revealKey: () => string;
  readonly baseUrl: string;
  readonly origin: string;
  readonly limiter: Limiter;
  readonly closing: AbortSignal;
  /** Headers of every request to the API, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Undefined means 5 minutes from the start of the first attempt. */
  readonly deadlineMs: number | undefined;
  /** End of the client's lifetime by `performance.now()`; infinite without one. */
  readonly endsAt: number;
  readonly maxWaitMs: number;
  readonly log: Logger;
  /** Lists whose page size the service rejected. */
  readonly plainLists: Set<string>;
  /** Undefined without a profile. */
  readonly activeProfile: ActiveProfile | undefined;
}
