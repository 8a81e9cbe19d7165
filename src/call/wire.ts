import type { NamedOperation } from '../operations/index.ts';
import type { Lifetime } from '../timer.ts';
import type { RequestBody, TransportResponse } from '../wire/transport.ts';
import type { RequestOptions } from './context.ts';
import type { BuiltRequest } from './request.ts';

/** What goes on the wire: a fresh body for each attempt, since a stream can be sent only once. */
export interface Wire {
  readonly request: BuiltRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: () => RequestBody;
}

export interface CallParams<Result> {
  readonly named: NamedOperation;
  readonly wire: Wire;
  readonly options: RequestOptions;
  /** Turns the head of a 2xx (or of a redirect, where `redirects` says so) into the result. */
  readonly read: (response: TransportResponse) => Promise<Result>;
  /** A redirect is an answer, and what `read` gives may be a stream that outlives the call. */
  readonly redirects?: boolean;
}

/** The state of a call around one of its attempts. */
export interface Turn {
  readonly lifetime: Lifetime;
  /** 0 for the first. */
  readonly attempt: number;
  readonly hops: number;
}
