import type { Contradiction } from '../profile/active-profile.ts';
import type { Wait } from '../rate-limit/wait-queue.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Receives structured log lines, without keys, signed URLs and bodies. Default: no logging. */
export type Logger = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

/**
 * Fields of every event of a call: its attempts, waits and redirects share the `callId`. An upload or download consists of
 * several calls.
 */
export interface CallEvent {
  readonly callId: string;
  /** `group.name` as in the catalog; `storage.put` and `storage.get` for the bytes of files. */
  readonly operation: string;
  /** The API, with the key, or a storage URL, without it. */
  readonly target: 'api' | 'storage';
}

export interface RequestEvent extends CallEvent {
  /** 0 for the first attempt. */
  readonly attempt: number;
  /** Number of redirects followed before it. */
  readonly hops: number;
  readonly method: string;
  /** URL without secrets: values of secret parameters are redacted; of a storage URL, all but the origin. */
  readonly url: string;
}

export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  /** Time until the response head. */
  readonly durationMs: number;
  readonly requestId?: string;
}

/** `rejected`: a status other than 2xx; `failed`: no complete response; `aborted`: by the caller. */
export type RequestOutcome = 'succeeded' | 'redirected' | 'rejected' | 'failed' | 'aborted';

export interface RequestEndEvent extends RequestEvent {
  readonly outcome: RequestOutcome;
  /** Time until the end of the body; for a streamed file until its head. */
  readonly durationMs: number;
  readonly status?: number;
  /** Error with which the call would end without a retry. */
  readonly error?: unknown;
}

export interface RetryEvent extends CallEvent {
  /** Number of the next attempt, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: Error;
}

export interface WaitEvent extends CallEvent, Wait {}

export interface CallEndEvent extends CallEvent {
  /** Time from the call to its end, including waits. */
  readonly durationMs: number;
  readonly requests: number;
  /** The thrown error, if it failed. */
  readonly error?: unknown;
}

/** A response that contradicts the client's profile; the client ignores that fact from then on. */
export interface ContradictionEvent extends Contradiction {}

/** Called as things happen. Errors and rejections of hooks are ignored. */
export interface Hooks {
  /** Called synchronously, before any wait. */
  onCall?: ((call: CallEvent) => void) | undefined;
  onWait?: ((wait: WaitEvent) => void) | undefined;
  onRequest?: ((request: RequestEvent) => void) | undefined;
  onResponse?: ((response: ResponseEvent) => void) | undefined;
  /** Called once per `onRequest`. */
  onRequestEnd?: ((request: RequestEndEvent) => void) | undefined;
  onRetry?: ((retry: RetryEvent) => void) | undefined;
  /** Called once per contradicted fact of the profile. */
  onContradiction?: ((contradiction: ContradictionEvent) => void) | undefined;
  /** Called once per `onCall`. */
  onCallEnd?: ((call: CallEndEvent) => void) | undefined;
}

/** State of an observed call; `requests` counts those sent. */
export interface CallObservation {
  readonly callEvent: CallEvent;
  readonly startedAt: number;
  requests: number;
}
