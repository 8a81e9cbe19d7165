/**
 * Where the starts of one key are counted when several processes share it. One operation, so that any store with an
 * atomic step can carry it: a SQLite file on one machine, a script in Redis for several.
 */
export interface LimitStore {
  /**
   * Books one start at `now` and gives 0, or books nothing and gives the milliseconds until one may be: what calls are told
   * and refused by. It is asked again then, and after a window at the latest; what is longer than a window is a pause.
   * Must be atomic among all processes. A store that throws, keeps silent for 2 s or gives no number is left alone for
   * 10 s, in which each process keeps the limit by itself.
   * @param limit `id` is a hash that stands for the key at its origin, never the key.
   */
  take(limit: LimitRequest): number | Promise<number>;
  /**
   * Counts a start from now on instead of from when it was booked: what left late, or waits for its answer, may be counted
   * by the service as late as now. Books it where it is unknown. Without this, starts that lag come closer at the service.
   */
  renew?(limit: LimitRequest): void | Promise<void>;
  /** Holds back the starts of all processes until a Unix time in milliseconds: what a refusal asks for. */
  pause(id: string, until: number): void | Promise<void>;
}

export interface LimitRequest {
  readonly id: string;
  readonly requests: number;
  readonly windowMs: number;
  /** Names the start among those of all processes. */
  readonly start: string;
  /** Unix time in milliseconds, for a store without a clock of its own: one that can be set bursts or stalls the limit. */
  readonly now: number;
}
