/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId?: string;
}

/** What an answer was, beside what was made of it. */
export interface ApiResponse extends ResponseHead {
  /** Set where a write was answered with something else than an object: what came, in a sentence. */
  readonly note?: string;
  /** The body as it came, where there is a `note`. */
  readonly text?: string;
}

/** A promise of the result that can also tell of the answer's head. */
export type ApiPromise<Result> = Promise<Result> & {
  withResponse(): Promise<{ data: Result; response: ApiResponse }>;
};
