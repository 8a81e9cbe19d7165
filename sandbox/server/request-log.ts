import type { OperationName } from '../../src/operations/index.ts';
import { runAfter } from '../../src/timer.ts';
import { BASE_PATH } from '../base/base-path.ts';
import { type LogMatch, LogMatchSchema, WaitOptionsSchema } from '../base/control-schemas.ts';
import { validateOptions } from '../base/validate-options.ts';
import { matchesPath } from './faults.ts';

/** A request and its result. Keys appear as fingerprints; secrets and URL signatures are removed. */
export interface LogEntry {
  readonly id: string;
  /** Epoch ms by the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** `POST /links`, `PUT storage`, `GET storage` or `GET page`; unset if no route matched. */
  readonly route?: string;
  readonly operation?: OperationName;
  /** 0 if the connection was cut instead of answered. */
  readonly status: number;
  /** Fingerprint of the request's key. */
  readonly key?: string;
  /** True if data changed, even if a fault replaced the response. */
  readonly effect?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, if any. */
  readonly body?: unknown;
  /** The response; large bodies, files and pages by size. */
  readonly response?: { readonly headers: Readonly<Record<string, string>>; readonly body?: unknown };
  /** True if a fault changed the response. */
  readonly fault?: boolean;
  /** Duration by the sandbox's clock (0 if it is manual). */
  readonly ms: number;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/** The oldest entries beyond these limits are removed. */
const MAX_ENTRIES = 20_000;
const MAX_CHARACTERS = 12 * 1024 * 1024;

export function createRequestLog() {
  let entries: { entry: LogEntry; size: number }[] = [];
  let size = 0;
  const listeners = new Set<(entry: LogEntry) => void>();
  const waiters = new Set<() => void>();
  let isEnded = false;

  function evictOldest(): void {
    // Removed in large steps, because each removal copies the list.
    if (entries.length <= MAX_ENTRIES * 1.25 && size <= MAX_CHARACTERS * 1.25) return;
    let from = Math.max(0, entries.length - MAX_ENTRIES);
    for (const { size: removedSize } of entries.slice(0, from)) size -= removedSize;
    for (; size > MAX_CHARACTERS && from < entries.length - 1; from++) size -= entries[from]?.size ?? 0;
    entries = entries.slice(from);
  }

  /** Calls `listener` with each new entry; returns a function that unsubscribes. */
  function subscribe(listener: (entry: LogEntry) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    entries: (): readonly LogEntry[] => entries.slice(-MAX_ENTRIES).map(({ entry }) => entry),
    clear(): void {
      entries = [];
      size = 0;
    },
    /** `entrySize`: approximate number of characters. */
    add(entry: LogEntry, entrySize: number): void {
      entries.push({ entry, size: entrySize });
      size += entrySize;
      evictOldest();
      for (const listener of listeners) listener(entry);
    },
    subscribe,
    /**
     * Returns the first matching request in the log, or waits for one.
     *
     * @throws Error if none arrives in `timeoutMs` of real time (default 5000; `Infinity` never times out),
     * listing what arrived instead, and when the sandbox closes. RangeError for invalid input
     */
    async waitFor(match: LogMatch, options: { timeoutMs?: number } = {}): Promise<LogEntry> {
      validateOptions('log.waitFor', LogMatchSchema, match);
      const { timeoutMs = 5000 } = validateOptions('log.waitFor', WaitOptionsSchema, options);
      const isMatch = createMatcher(match);
      const from = entries.findIndex(({ entry }) => entry.id === match.after) + 1;
      const found = entries.slice(from).find(({ entry }) => isMatch(entry));
      if (found) return found.entry;
      const { promise, resolve, reject } = Promise.withResolvers<LogEntry>();
      const rejectWait = (why: string) => {
        const recent = entries.slice(-10).map(({ entry }) => `${entry.method} ${entry.path} ${entry.status}`);
        const description = JSON.stringify(match);
        reject(new Error(`No request ${description} ${why}. Last requests: ${recent.join(', ') || 'none'}`));
      };
      const close = () => rejectWait('can arrive: the sandbox is closed');
      if (isEnded) close();
      const cancelTimer = runAfter(timeoutMs, () => rejectWait(`arrived within ${timeoutMs} ms`));
      const end = subscribe((entry) => isMatch(entry) && resolve(entry));
      waiters.add(close);
      return promise.finally(() => {
        cancelTimer();
        waiters.delete(close);
        end();
      });
    },
    /** Rejects all waits: no more requests can arrive. */
    end(): void {
      isEnded = true;
      for (const close of waiters) close();
    },
  };
}

/** Paths to wait for may omit that of the base URL. */
function createMatcher(match: LogMatch): (entry: LogEntry) => boolean {
  const { operation, method = '', path, status } = match;
  return (entry) =>
    (operation === undefined || entry.operation === operation) &&
    (method === '' || entry.method === method.toUpperCase()) &&
    (status === undefined || entry.status === status) &&
    (path === undefined || matchesPath(path, entry.path) || matchesPath(path, entry.path.replace(BASE_PATH, '')));
}
