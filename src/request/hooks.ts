import type { Contradiction } from '../profile/active-profile.ts';
import type { Wait } from '../rate-limit/wait-queue.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Structured log lines; fields never hold a key, a signed address or a body. Silent unless given. */
export type Logger = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

/** One call of the client with all its attempts, waits and redirects; an upload or a download makes several. */
export interface CallEvent {
  readonly callId: string;
  /** `group.name` as in the catalogue; `storage.put` and `storage.get` for the bytes of files. */
  readonly operation: string;
  /** Where it goes: to the API, with the key, or to an address of a storage, without it. */
  readonly target: 'api' | 'storage';
}

export interface RequestEvent extends CallEvent {
  /** 0 for the first. */
  readonly attempt: number;
  /** Redirects followed before it. */
  readonly hops: number;
  readonly method: string;
  /** Without secrets: values of secret parameters are left out, and of a storage's address all but the origin. */
  readonly url: string;
}

export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  /** Until the head of the answer. */
  readonly durationMs: number;
  readonly requestId?: string;
}

/** `refused`: another status than 2xx; `failed`: no whole answer; `aborted`: by the caller. */
export type RequestOutcome = 'done' | 'redirected' | 'refused' | 'failed' | 'aborted';

export interface RequestEndEvent extends RequestEvent {
  readonly outcome: RequestOutcome;
  /** Until the end of the body; of a file that is read as a stream, until its head. */
  readonly durationMs: number;
  readonly status?: number;
  /** What the call would end with if it were not repeated. */
  readonly error?: unknown;
}

export interface RetryEvent extends CallEvent {
  /** The number of the attempt that follows, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: Error;
}

export interface WaitEvent extends CallEvent, Wait {}

export interface CallEndEvent extends CallEvent {
  /** From the call to its end, waits included. */
  readonly durationMs: number;
  /** Requests sent. */
  readonly requests: number;
  /** What was thrown, where it failed. */
  readonly error?: unknown;
}

/** An answer that is not as the client's profile says; that fact counts no more in this client. */
export interface ContradictionEvent extends Contradiction {}

/** Called as things happen. Whatever a hook throws or rejects changes nothing. */
export interface Hooks {
  /** In the caller's own turn, before anything waits. */
  onCall?: ((call: CallEvent) => void) | undefined;
  onWait?: ((wait: WaitEvent) => void) | undefined;
  onRequest?: ((request: RequestEvent) => void) | undefined;
  onResponse?: ((response: ResponseEvent) => void) | undefined;
  /** Once for each `onRequest`, however the request ended. */
  onRequestEnd?: ((request: RequestEndEvent) => void) | undefined;
  onRetry?: ((retry: RetryEvent) => void) | undefined;
  /** Once for each fact of the profile: learn the service again. */
  onContradiction?: ((contradiction: ContradictionEvent) => void) | undefined;
  /** Once for each `onCall`. */
  onCallEnd?: ((call: CallEndEvent) => void) | undefined;
}

/** What is kept of one call while it is told of; `requests` counts what was sent. */
export interface CallObservation {
  readonly callEvent: CallEvent;
  readonly startedAt: number;
  requests: number;
}
