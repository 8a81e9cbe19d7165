import type { ActiveProfile } from '../profile/active-profile.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { Wait } from '../rate-limit/wait-queue.ts';
import type { ResponseHead } from '../response/response-head.ts';
import type { RetryPolicy } from '../retry/retry.ts';
import type { Transport } from '../transport/transport.ts';
import type { CustomHeaders } from './custom-headers.ts';
import type { Logger } from './hooks.ts';
import type { Observer } from './observer.ts';

/** Per call; each wins over the client's own. What is undefined counts as not given. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** For one attempt, from its start to its last byte. */
  readonly timeoutMs?: number | undefined;
  /** For all attempts and waits together, the wait for the rate limit included. */
  readonly deadlineMs?: number | undefined;
  /** The longest wait for the rate limit; past it the call ends in a RateLimitError that says when to come back. */
  readonly maxWaitMs?: number | undefined;
  /** Attempts beyond the first; 0 for none. */
  readonly retries?: number | undefined;
  /** Sent with each of the call's requests to the API, before the client's own `headers`; never to a storage. */
  readonly headers?: CustomHeaders | undefined;
  /** Higher starts earlier where calls queue; 0 unless told. */
  readonly priority?: number | undefined;
  /** Told when the call has to wait for the rate limit, and again when a pause makes the wait longer. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Told as each attempt leaves: from then on the service may have acted on it. */
  readonly onRequest?:
    | ((request: { readonly operation: string; readonly method: string }) => void)
    | undefined;
  readonly onResponse?: ((head: ResponseHead) => void) | undefined;
}

/** What every exchange of a client shares, those with a storage too. */
export interface ExchangeContext {
  readonly transport: Transport;
  readonly retry: RetryPolicy;
  /** Unset where nobody listens, so that nothing is made for nobody. */
  readonly observer?: Observer | undefined;
  /** Aborts when the client is closed, and ends what waits and what is under way; unset where there is none. */
  readonly closing?: AbortSignal;
}

/** What every call of a client shares. */
export interface ClientContext extends ExchangeContext {
  /** A function, so that no print of the context shows the key. */
  readonly revealKey: () => string;
  readonly baseUrl: string;
  readonly origin: string;
  readonly limiter: Limiter;
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal;
  /** Of every request to the API, besides the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Undefined: 5 minutes from the start of the first attempt. */
  readonly deadlineMs: number | undefined;
  /** When the client's own time is over, by the clock of `performance.now()`; infinite where it has no end. */
  readonly endsAt: number;
  readonly maxWaitMs: number;
  readonly log: Logger;
  /** Undefined without a profile: then everything is asked and read by what is usual. */
  readonly activeProfile: ActiveProfile | undefined;
}
