import type { JsonObject } from '../../src/answer/fields.ts';
import type { LimitStore } from '../../src/index.ts';

/**
 * What all servers of one person on one machine must agree on: refusals, sends, spent tokens and the limit's starts.
 * Entries end by themselves. A carrier needs one atomic step (`claim`), so that memory, a SQLite file or Redis can do it.
 */
export interface SharedState {
  /** Random bytes, the same for all that share the state: signs tokens, and hashes keys so that none stands in it. */
  readonly secret: Buffer;
  /** Counts the limit with all others; absent where nobody shares it. */
  readonly limit?: LimitStore;
  /** The entry, unless there is none or its time is over. */
  get(key: string): Promise<JsonObject | undefined>;
  /** Writes the entry over any other. @param until Unix time in milliseconds. */
  put(key: string, entry: JsonObject, until: number): Promise<void>;
  /** Writes the entry where none stands, atomically among all servers; else the one that stands. */
  claim(key: string, entry: JsonObject, until: number): Promise<JsonObject | undefined>;
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the state at the first call of a tool, once: a start should cost nothing that the list of tools does not need. */
export type OpenState = () => Promise<SharedState>;
