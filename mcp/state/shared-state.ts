import type { LimitStore } from '../../src/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { ToolError } from '../tool-error.ts';

/**
 * State shared by all servers of the same users: declines, sends, used tokens, open requests, grants and the rate
 * limit. Entries expire. Backends need atomic steps (`putIfAbsent`, `compareAndSwap`), which memory, SQLite and Redis
 * have. All methods but `writeEventually` throw {@link StateUnavailableError} if the backend is unreachable.
 */
export interface SharedState {
  /**
   * Random bytes shared by all servers: signs tokens, and hashes keys so that none is stored. Read it again
   * for each use: a server that connects late adopts the secret of the others.
   */
  readonly secret: Buffer;
  /** Shared rate limit; undefined if nothing is shared. */
  readonly limit?: LimitStore;
  /** True if users' text may be stored: it is encrypted, or never leaves the process. */
  readonly canStoreUserText: boolean;
  /** Returns the entry, or undefined if there is none or it has expired. */
  get(key: string): Promise<JsonObject | undefined>;
  /** Writes or replaces the entry. @param until Unix time in milliseconds. */
  put(key: string, entry: JsonObject, until: number): Promise<void>;
  /** Writes the entry if there is none, atomically across servers; otherwise returns the existing one. */
  putIfAbsent(key: string, entry: JsonObject, until: number): Promise<JsonObject | undefined>;
  /** Replaces exactly `from` by `to`, atomically across servers. Returns false if the entry differs. */
  compareAndSwap(key: string, change: SwapChange): Promise<boolean>;
  remove(key: string): Promise<void>;
  /**
   * Records a fact that can't be undone: writes (or removes, without `entry`) now, or once the backend is
   * back. Never rejects, and this server sees the change at once.
   * @returns whether the backend has it now.
   */
  writeEventually(key: string, entry: JsonObject | undefined, until: number): Promise<boolean>;
  getStatus(): StateStatus;
  close(): Promise<void>;
}

interface SwapChange {
  readonly from: JsonObject;
  readonly to: JsonObject;
  /** Unix time in milliseconds. */
  readonly until: number;
}

export interface StateStatus {
  readonly backend: 'memory' | 'file' | 'redis';
  /** True if the backend is reachable now. */
  readonly up: boolean;
  /** True if it was ever reachable; before, nothing is known about other servers. */
  readonly hasConnected: boolean;
  /** Servers that share it, including this one. */
  readonly replicas: number;
  /** How long requests are held because the history of the rate limit was lost. */
  readonly holdMs: number;
}

/** Status of a state that is not shared. */
export const SINGLE_SERVER_STATUS = { up: true, hasConnected: true, replicas: 1, holdMs: 0 } as const;

/** Thrown if the backend is unreachable, so that nothing can be guaranteed to happen only once. */
export class StateUnavailableError extends ToolError {
  constructor() {
    super(
      'state_unavailable',
      'The state shared with other replicas is unavailable, so this server can’t guarantee that this happens only once. Nothing was done. Reads still work; try again in a minute.',
    );
  }
}

/** Opens the state once, at the first tool call: starting up should not cost more than the tool list needs. */
export type StateProvider = () => Promise<SharedState>;
