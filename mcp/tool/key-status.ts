import type { Group } from '../../src/index.ts';
import type { Scope } from '../../src/scopes.ts';

/** What this process has seen of one key and its service, without asking for it. */
export interface KeyStatus {
  /** Of the base URL; undefined where that is unset or no address. */
  readonly host: string | undefined;
  /** `granted`: a call of it succeeded; `denied`: the last one was refused for want of the scope. */
  scopes(): { readonly granted: readonly Scope[]; readonly denied: readonly Scope[] };
  /** Requests that this process sent to the API within the last minute. */
  countRecentRequests(): number;
  /** What the last answers said of the limit, by header. */
  getRateLimitHeaders(): Readonly<Record<string, string>>;
  readonly behaviorCache: BehaviorCache;
}

/** How the service was seen to answer, remembered for some minutes: whether it heeds a query. */
export interface BehaviorCache {
  get(subject: string): string | undefined;
  set(subject: string, behavior: string): void;
}

/** How the server was started, as far as a caller may know it. */
export interface AccessMode {
  readonly readOnly: boolean;
  readonly sandbox: boolean;
  readonly confirm: string;
  /** Groups that tools over several groups may read. */
  readonly readableGroups: readonly Group[];
}

/** An object that a call made. */
export interface CreatedObject {
  readonly group: string;
  readonly id: string;
  readonly name: string;
}
