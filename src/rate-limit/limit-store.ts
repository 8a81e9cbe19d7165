/** Counts a key's starts across processes, on any store with an atomic operation (SQLite, Redis). */
export interface LimitStore {
  /**
   * Books a start at `now` and returns 0, or books nothing and returns the milliseconds to wait. The client
   * asks again after that time, and after a window at the latest; a longer wait counts as a pause. Must be
   * atomic across processes. A store that throws, takes over 2 s or returns no number is skipped for 10 s,
   * during which each process limits itself.
   * @param limit `id` is a hash of the key and origin, never the key.
   */
  take(limit: LimitRequest): number | Promise<number>;
  /** Moves a start to now, or books it: the service may count a slow request later than booked. */
  renew?(limit: LimitRequest): void | Promise<void>;
  /** Pauses the starts of all processes until a Unix time in milliseconds, after a 429. */
  pause(id: string, until: number): void | Promise<void>;
}

export interface LimitRequest {
  readonly id: string;
  readonly requests: number;
  readonly windowMs: number;
  /** Unique name of the start across processes. */
  readonly start: string;
  /** Unix milliseconds, for stores without a monotonic clock; setting a clock bursts or stalls the limit. */
  readonly now: number;
}
