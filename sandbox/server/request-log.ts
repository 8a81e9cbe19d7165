import type { OperationName } from '../../src/operations/index.ts';
import { runAfter } from '../../src/timer.ts';
import * as controlSchemas from '../base/control-schemas.ts';
import { type SchemaFor, validateOptions } from '../base/validate-options.ts';
import { matchesPath } from './faults.ts';

/** One request as it came and how it went. Keys appear as fingerprints, secrets and signatures of addresses not at all. */
export interface LogEntry {
  readonly id: string;
  /** Epoch ms by the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** `POST /links`, `PUT storage`, `GET storage`, `GET page`; unset where no route matched. */
  readonly route?: string;
  readonly operation?: OperationName;
  /** 0 when the connection was cut instead of answered. */
  readonly status: number;
  /** Fingerprint of the key that the request carried. */
  readonly key?: string;
  /** Whether something was changed: true even where a fault then hid the good answer. */
  readonly effect?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, where there was one. */
  readonly body?: unknown;
  /** What was answered; a large body, a file and a page are noted by their size. */
  readonly answer?: { readonly headers: Readonly<Record<string, string>>; readonly body?: unknown };
  /** Whether a fault shaped the answer. */
  readonly fault?: boolean;
  /** How long it took, by the sandbox's clock: none at all where that stands still. */
  readonly ms: number;
}

/** Which request to wait for; what is left out matches each. */
export interface LogMatch {
  readonly operation?: OperationName;
  readonly method?: string;
  /** Path below the base URL, or of storage and pages; `*` stands for anything. */
  readonly path?: string;
  readonly status?: number;
  /** Only requests after the one with this id. */
  readonly after?: string;
}

export interface RequestLog {
  entries(): readonly LogEntry[];
  clear(): void;
  /** `size`: about how many characters it holds. */
  add(entry: LogEntry, size: number): void;
  /** Called with each new entry; returns the end of it. */
  subscribe(listener: (entry: LogEntry) => void): () => void;
  /**
   * The first request in the log that matches, or the next one to come.
   *
   * @throws Error when none came in `timeoutMs` (5000 unless given; `Infinity` waits for as long as the sandbox runs) of
   * real time, naming what came instead; and at once when the sandbox is closed. RangeError for what can't be meant
   */
  waitFor(match: LogMatch, options?: { timeoutMs?: number }): Promise<LogEntry>;
  /** No request can come any more: who waits for one is told. */
  end(): void;
}

/** The log forgets its oldest entries beyond so many, and beyond so many characters in all. */
const MAX_ENTRIES = 20_000;
const MAX_CHARACTERS = 12 * 1024 * 1024;

/** `basePath` is what paths to wait for are below. */
export function createRequestLog(basePath: string): RequestLog {
  let entries: { entry: LogEntry; size: number }[] = [];
  let size = 0;
  const listeners = new Set<(entry: LogEntry) => void>();
  const waiters = new Set<() => void>();
  let isEnded = false;

  function evictOldest(): void {
    // Cut in large steps: cutting at each entry would copy the whole list each time.
    if (entries.length <= MAX_ENTRIES * 1.25 && size <= MAX_CHARACTERS * 1.25) return;
    let from = Math.max(0, entries.length - MAX_ENTRIES);
    for (const { size: removedSize } of entries.slice(0, from)) size -= removedSize;
    for (; size > MAX_CHARACTERS && from < entries.length - 1; from++) size -= entries[from]?.size ?? 0;
    entries = entries.slice(from);
  }

  function subscribe(listener: (entry: LogEntry) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    entries: () => entries.slice(-MAX_ENTRIES).map(({ entry }) => entry),
    clear() {
      entries = [];
      size = 0;
    },
    add(entry, entrySize) {
      entries.push({ entry, size: entrySize });
      size += entrySize;
      evictOldest();
      for (const listener of listeners) listener(entry);
    },
    subscribe,
    async waitFor(match, options = {}) {
      validateOptions('log.waitFor', controlSchemas.LogMatchSchema satisfies SchemaFor<LogMatch>, match);
      const { timeoutMs = 5000 } = validateOptions('log.waitFor', controlSchemas.WaitOptionsSchema, options);
      const isMatch = createMatcher(match, basePath);
      const from = entries.findIndex(({ entry }) => entry.id === match.after) + 1;
      const found = entries.slice(from).find(({ entry }) => isMatch(entry));
      if (found) return found.entry;
      const { promise, resolve, reject } = Promise.withResolvers<LogEntry>();
      const rejectWait = (why: string) => {
        const recent = entries.slice(-10).map(({ entry }) => `${entry.method} ${entry.path} ${entry.status}`);
        const description = JSON.stringify(match);
        reject(new Error(`No request ${description} ${why}; the last ones: ${recent.join(', ') || 'none'}`));
      };
      const close = () => rejectWait('can come: the sandbox is closed');
      if (isEnded) close();
      const cancelTimer = runAfter(timeoutMs, () => rejectWait(`came in ${timeoutMs} ms`));
      const end = subscribe((entry) => isMatch(entry) && resolve(entry));
      waiters.add(close);
      return promise.finally(() => {
        cancelTimer();
        waiters.delete(close);
        end();
      });
    },
    end() {
      isEnded = true;
      for (const close of waiters) close();
    },
  };
}

function createMatcher(match: LogMatch, basePath: string): (entry: LogEntry) => boolean {
  const { operation, method = '', path, status } = match;
  return (entry) =>
    (operation === undefined || entry.operation === operation) &&
    (method === '' || entry.method === method.toUpperCase()) &&
    (status === undefined || entry.status === status) &&
    (path === undefined ||
      matchesPath(path, entry.path) ||
      matchesPath(path, entry.path.replace(basePath, '')));
}
