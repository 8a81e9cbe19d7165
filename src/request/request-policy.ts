import type { TextResponse } from '../api-errors/text-response.ts';
import type { AttemptGuard } from '../timer.ts';
import type { RequestBody, TransportResponse } from '../transport/transport.ts';
import type { Cancellation } from './cancellation.ts';
import type { CallObservation } from './hooks.ts';

/** A request to send; its body is created for each attempt, since a stream can be sent only once. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: () => RequestBody;
  /** Content of the body, to find its secrets. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Ends the attempt with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface AttemptState {
  readonly cancellation: Cancellation;
  /** Set with hooks or a logger. */
  readonly observation?: CallObservation | undefined;
  /** 0 for the first attempt. */
  readonly attempt: number;
  /** Number of redirects followed. */
  readonly hops: number;
  /** True if an earlier attempt may have taken effect. */
  readonly mayHaveRun: boolean;
}

export interface AttemptInfo {
  readonly request: PreparedRequest;
  readonly state: AttemptState;
  /** Start by the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** True if a timeout, deadline, caller or `request.signal` ended it; closing the client doesn't count. */
  readonly isEndedEarly: () => boolean;
  /** True if no retry is allowed: deadline passed or aborted by the caller. */
  readonly isFinal: () => boolean;
}

export interface Failure<Result> {
  readonly kind: 'failed';
  readonly error: Error;
  /** Result instead of the error if no attempt follows. */
  readonly fallbackResult?: Result;
  readonly retryable: boolean;
  /** Limit below the policy's retries. */
  readonly maxRetries?: number;
  /** True if the attempt may have taken effect. */
  readonly mayHaveRun: boolean;
  /** Wait requested by the other side, never shortened; undefined for back-off. */
  readonly waitMs?: number | undefined;
  /** True if the limiter already delays the next attempt. */
  readonly alreadyDelayed?: boolean;
}

/** Result of an attempt: success, redirect, or an error. */
export type AttemptOutcome<Result> =
  | { readonly kind: 'succeeded'; readonly result: Result }
  | { readonly kind: 'redirected'; readonly request: PreparedRequest }
  | Failure<Result>;

/** Rules of a request that differ between API calls, uploads and downloads; all else about requests is shared. */
export interface RequestPolicy<Result> {
  /** Name in logs, hooks and messages. */
  readonly operation: string;
  readonly target: 'api' | 'storage';
  readonly retries: number;
  /** Maximum time of one attempt, up to the end of `read`. */
  readonly timeoutMs: number;
  /** Timeout after the response head, instead of the attempt's. */
  readonly responseTimeoutMs?: number;
  /** A longer wait ends the call. Default: bounded by the deadline only. */
  readonly maxRetryWaitMs?: number | undefined;
  /** Creates the first request, and those after failures with `rebuildsRequest`. */
  readonly prepare: (attempt: number) => PreparedRequest | Promise<PreparedRequest>;
  /** True if each attempt calls `prepare`; otherwise it repeats the last request. */
  readonly rebuildsRequest: boolean;
  /** Runs an attempt when its turn comes. Default: immediately. */
  readonly schedule?: (
    run: () => Promise<AttemptOutcome<Result>>,
    state: AttemptState,
  ) => Promise<AttemptOutcome<Result>>;
  /** Explains the error that ends the request. Default: unchanged. */
  readonly explainError?: (error: unknown, cancellation: Cancellation) => unknown;
  /** Called when the first attempt starts, so that a waiting call does not hold the handlers. */
  readonly createHandlers: () => AttemptHandlers<Result>;
}

/** Handlers of one attempt's response or failure. */
export interface AttemptHandlers<Result> {
  /** Adds the headers of every request, with the key if allowed. */
  readonly headers?: (requestHeaders: PreparedRequest['headers']) => Readonly<Record<string, string>>;
  readonly onResponseHead?: (response: TransportResponse) => void;
  /** Returns true for an expected status. Default: 2xx. */
  readonly accepts?: (status: number) => boolean;
  /** @throws DocshareError for an invalid response; any other error means that it was cut off. */
  readonly read: (response: TransportResponse, detach: AttemptGuard['detach']) => Promise<Result>;
  /** Follows a redirect or explains its failure; undefined treats it as a rejection. */
  readonly follow: (
    response: TransportResponse,
    attemptInfo: AttemptInfo,
  ) => { kind: 'redirected'; request: PreparedRequest } | Failure<Result> | undefined;
  /** Explains an error that came instead of a response, including a closed client. */
  readonly onFault: (fault: unknown, attemptInfo: AttemptInfo) => AttemptOutcome<Result>;
  /** Explains a truncated body. */
  readonly onTruncated: (
    fault: unknown,
    response: TransportResponse,
    attemptInfo: AttemptInfo,
  ) => AttemptOutcome<Result>;
  /** Explains any other status; its text is bounded. */
  readonly onRejection: (
    textResponse: TextResponse,
    attemptInfo: AttemptInfo,
  ) => AttemptOutcome<Result> | Promise<AttemptOutcome<Result>>;
  /** Called at the end of each attempt. */
  readonly onEnd?: () => void;
}
