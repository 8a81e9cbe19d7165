export interface ResponseHead {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId?: string;
}

/** Response of a call, beside its result. */
export interface ApiResponse extends ResponseHead {
  /** Set if the response to a write contained no object: a sentence about its content. */
  readonly note?: string;
  /** Original body, with a `note`. */
  readonly text?: string;
}

/** Promise of a result that can also return the response. */
export type ApiPromise<Result> = Promise<Result> & { withResponse(): Promise<{ data: Result; response: ApiResponse }> };
