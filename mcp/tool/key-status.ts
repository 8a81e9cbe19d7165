import type { Group } from '../../src/index.ts';
import type { Scope } from '../../src/scopes.ts';

/** Observations of this process about one key and its service. */
export interface KeyStatus {
  /** Host of the base URL; undefined if that is unset or invalid. */
  readonly host: string | undefined;
  /** `granted`: a call with it succeeded; `denied`: the last call failed because the key lacks it. */
  scopes(): { readonly granted: readonly Scope[]; readonly denied: readonly Scope[] };
  /** Rejects an action that the key or the sign-in can't do, before anybody is asked about it. @throws ToolError */
  requireScope(scope: Scope): void;
  /** Requests that this process sent to the API within the last minute. */
  countRecentRequests(): number;
  /** Rate-limit headers of the last responses. */
  getRateLimitHeaders(): Readonly<Record<string, string>>;
  readonly behaviorCache: BehaviorCache;
}

/** Remembers for some minutes how the service behaves, such as whether it supports a query. */
export interface BehaviorCache {
  get(subject: string): string | undefined;
  set(subject: string, behavior: string): void;
}

/** How the server was started, as far as `whoami` shows it. */
export interface AccessMode {
  readonly readOnly: boolean;
  readonly sandbox: boolean;
  readonly confirm: string;
  /** Groups that tools spanning several groups may read. */
  readonly readableGroups: readonly Group[];
  /** Names of all workspaces, if the server is connected to several. */
  readonly workspaces?: readonly string[];
}

/** Object that a call created. */
export interface CreatedObject {
  readonly group: string;
  readonly id: string;
  readonly name: string;
}
