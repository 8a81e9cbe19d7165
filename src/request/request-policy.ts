import type { TextResponse } from '../response/parse-body.ts';
import type { AttemptGuard, Cancellation } from '../timer.ts';
import type { RequestBody, TransportResponse } from '../transport/transport.ts';
import type { CallObservation } from './hooks.ts';

/** What goes on the wire: a fresh body for each time it is sent, since a stream can be sent only once. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: () => RequestBody;
  /** What the body holds, for the secrets in it. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Ends the attempt with its own reason, as a watch over the body does. */
  readonly signal?: AbortSignal;
}

/** The state of an exchange around one of its attempts. */
export interface AttemptState {
  readonly cancellation: Cancellation;
  /** Set where hooks or a logger are told. */
  readonly observation?: CallObservation | undefined;
  /** 0 for the first. */
  readonly attempt: number;
  /** Redirects followed. */
  readonly hops: number;
  /** Whether the other side may have acted on an earlier attempt. */
  readonly mayHaveRun: boolean;
}

/** An attempt as its explanations see it. */
export interface AttemptInfo {
  readonly request: PreparedRequest;
  readonly state: AttemptState;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Set where its own clock, the deadline, the caller or `wire.signal` ended it; the client's end is a fault by its code. */
  readonly isEndedEarly: () => boolean;
  /** Whether nothing may follow: the deadline is over, or the caller gave up. */
  readonly isFinal: () => boolean;
}

export interface Failure<Result> {
  readonly kind: 'failed';
  readonly error: Error;
  /** Given instead of the error where no attempt follows. */
  readonly fallbackResult?: Result;
  readonly retryable: boolean;
  /** Fewer attempts beyond the first than the policy grants. */
  readonly maxRetries?: number;
  /** Whether the other side may have acted on it. */
  readonly mayHaveRun: boolean;
  /** What the other side asks to wait; back-off where it asks for nothing. Never cut. */
  readonly waitMs?: number | undefined;
  /** Whoever gives the turns already holds the next attempt back. */
  readonly alreadyDelayed?: boolean;
}

/** How far an attempt got: its result, another address, or an error and whether the request may be sent again. */
export type AttemptOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'moved'; readonly request: PreparedRequest }
  | Failure<Result>;

/**
 * What differs between a call of the API, bytes sent to a storage and bytes fetched from one. Everything else of an
 * exchange (attempts, back-off, clocks, redirects, hooks, connections given back on every path) is the same.
 */
export interface RequestPolicy<Result> {
  /** Stands in logs, hooks and messages. */
  readonly operation: string;
  readonly target: 'api' | 'storage';
  /** Attempts beyond the first. */
  readonly retries: number;
  /** The longest time of one attempt, up to the end of `read`. */
  readonly timeoutMs: number;
  /** From the head of an answer on, this clock takes the place of the attempt's. */
  readonly responseTimeoutMs?: number;
  /** A longer wait is handed to the caller; only the deadline bounds it unless told. */
  readonly maxRetryWaitMs?: number;
  /** The headers of a request with those of every request, the key among them where it may go. */
  readonly headers?: (requestHeaders: PreparedRequest['headers']) => Readonly<Record<string, string>>;
  /** What to send first, and after a failure where `rebuildsRequest`. */
  readonly prepare: (attempt: number) => PreparedRequest | Promise<PreparedRequest>;
  /** Whether each attempt begins with a fresh `prepare`; else it goes on where the last one stood. */
  readonly rebuildsRequest: boolean;
  /** Runs an attempt when its turn comes; at once unless told. */
  readonly schedule?: (
    run: () => Promise<AttemptOutcome<Result>>,
    state: AttemptState,
  ) => Promise<AttemptOutcome<Result>>;
  /** The head of an answer came. */
  readonly onResponseHead?: (response: TransportResponse) => void;
  /** Whether an answer is the one that was asked for; a 2xx unless told. */
  readonly accepts?: (status: number) => boolean;
  /** @throws DocshareError where the answer is wrong; anything else means that it was cut off. */
  readonly read: (response: TransportResponse, detach: AttemptGuard['detach']) => Promise<Result>;
  /** Where a redirect leads, or how it fails; undefined: it counts as a refusal. */
  readonly follow: (
    response: TransportResponse,
    attemptInfo: AttemptInfo,
  ) => { kind: 'moved'; request: PreparedRequest } | Failure<Result> | undefined;
  /** What a fault means that came instead of an answer, the client's end among them. */
  readonly onFault: (fault: unknown, attemptInfo: AttemptInfo) => AttemptOutcome<Result>;
  /** What a body means that broke off. */
  readonly onTruncated: (
    fault: unknown,
    response: TransportResponse,
    attemptInfo: AttemptInfo,
  ) => AttemptOutcome<Result>;
  /** What another status means; its text is bounded. */
  readonly onRejection: (
    textResponse: TextResponse,
    attemptInfo: AttemptInfo,
  ) => AttemptOutcome<Result> | Promise<AttemptOutcome<Result>>;
  /** An attempt is over, however it ended. */
  readonly onEnd?: () => void;
}
