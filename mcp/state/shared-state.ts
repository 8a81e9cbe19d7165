import type { LimitStore } from '../../src/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { ToolError } from '../tool-error.ts';

/**
 * What all servers that work for the same people must agree on: refusals, sends, spent tokens, open forms, grants and the
 * limit's starts. Entries end by themselves. A carrier needs atomic steps (`putIfAbsent`, `compareAndSwap`), so that memory, a SQLite
 * file or Redis can do it. All but `writeEventually` throw {@link StateUnavailableError} where the carrier can't be reached.
 */
export interface SharedState {
  /**
   * Random bytes, the same for all that share the state: signs tokens, and hashes keys so that none stands in it. To be
   * read anew for each use: a server that meets its carrier late takes over the secret of the others.
   */
  readonly secret: Buffer;
  /** Counts the limit with all others; absent where nobody shares it. */
  readonly limit?: LimitStore;
  /** Whether words of people may be put in: they are sealed, or never leave the process. */
  readonly canStoreUserText: boolean;
  /** The entry, unless there is none or its time is over. */
  get(key: string): Promise<JsonObject | undefined>;
  /** Writes the entry over any other. @param until Unix time in milliseconds. */
  put(key: string, entry: JsonObject, until: number): Promise<void>;
  /** Writes the entry where none stands, atomically among all servers; else the one that stands. */
  putIfAbsent(key: string, entry: JsonObject, until: number): Promise<JsonObject | undefined>;
  /** Writes `to` where exactly `from` stands, atomically among all servers; false where something else stands. */
  compareAndSwap(key: string, change: SwapChange): Promise<boolean>;
  remove(key: string): Promise<void>;
  /**
   * For what has happened and can't be refused any more: writes (or removes, without `entry`) now, or as soon as the
   * carrier answers again. Never rejects. This server keeps to it from now on.
   * @returns whether it stands there now.
   */
  writeEventually(key: string, entry: JsonObject | undefined, until: number): Promise<boolean>;
  getStatus(): StateStatus;
  close(): Promise<void>;
}

export interface SwapChange {
  readonly from: JsonObject;
  readonly to: JsonObject;
  /** Unix time in milliseconds. */
  readonly until: number;
}

/** How it stands about a carrier. */
export interface StateStatus {
  readonly backend: 'memory' | 'file' | 'redis';
  /** Whether it answers now. */
  readonly up: boolean;
  /** Whether it ever did: before that, nothing is known of the other servers. */
  readonly hasConnected: boolean;
  /** Servers that share it, this one included. */
  readonly replicas: number;
  /** So long no request starts, because the history of the limit was lost. */
  readonly holdMs: number;
}

/** Where nobody shares anything, nothing can be away. */
export const SINGLE_SERVER_STATUS = { up: true, hasConnected: true, replicas: 1, holdMs: 0 } as const;

/** The carrier can't be reached, so that nobody can make sure that something happens only once. */
export class StateUnavailableError extends ToolError {
  constructor() {
    super(
      'state_unavailable',
      'This server can’t reach what it shares with its replicas just now, so it can’t make sure that this happens only once. Nothing was done. Reading still works; try this again in a minute.',
    );
  }
}

/** Opens the state at the first call of a tool, once: a start should cost nothing that the list of tools does not need. */
export type StateProvider = () => Promise<SharedState>;
