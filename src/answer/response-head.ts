/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId?: string;
}

/** A promise of the result that can also tell of the answer's head. */
export type Call<Result> = Promise<Result> & {
  withResponse(): Promise<{ data: Result; response: ResponseHead }>;
};
