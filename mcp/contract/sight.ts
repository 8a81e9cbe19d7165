import type { Group } from '../../src/index.ts';
import type { Scope } from '../../src/scopes.ts';

/** What this process has seen of one key and its service, without asking for it. */
export interface Sight {
  /** Of the base URL; undefined where that is unset or no address. */
  readonly host: string | undefined;
  /** `works`: a call of it succeeded; `refused`: the last one was refused for want of the scope. */
  scopes(): { readonly works: readonly Scope[]; readonly refused: readonly Scope[] };
  /** Requests that this process sent to the API within the last minute. */
  startedInWindow(): number;
  /** What the last answers said of the limit, by header. */
  limitHeaders(): Readonly<Record<string, string>>;
  readonly habits: Habits;
}

/** How the service was seen to answer, remembered for some minutes: whether it heeds a query. */
export interface Habits {
  get(subject: string): string | undefined;
  set(subject: string, habit: string): void;
}

/** How the server was started, as far as a caller may know it. */
export interface Mode {
  readonly readOnly: boolean;
  readonly sandbox: boolean;
  readonly confirm: string;
  /** Groups that tools over several groups may read. */
  readonly reach: readonly Group[];
}

/** An object that a call made. */
export interface Made {
  readonly group: string;
  readonly id: string;
  readonly name: string;
}
