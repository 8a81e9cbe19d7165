import type { OperationName } from '../../src/operations/index.ts';
import { runAfter } from '../../src/timer.ts';
import * as given from '../acts.ts';
import { expectGiven, type SchemaFor } from '../given.ts';
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
  watch(listener: (entry: LogEntry) => void): () => void;
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
const CAPACITY = 20_000;
const CAPACITY_CHARACTERS = 12 * 1024 * 1024;

/** `basePath` is what paths to wait for are below. */
export function createRequestLog(basePath: string): RequestLog {
  let entries: { entry: LogEntry; size: number }[] = [];
  let size = 0;
  const listeners = new Set<(entry: LogEntry) => void>();
  const waiting = new Set<() => void>();
  let isEnded = false;

  function forgetOldest(): void {
    // Cut in large steps: cutting at each entry would copy the whole list each time.
    if (entries.length <= CAPACITY * 1.25 && size <= CAPACITY_CHARACTERS * 1.25) return;
    let from = Math.max(0, entries.length - CAPACITY);
    for (const { size: gone } of entries.slice(0, from)) size -= gone;
    for (; size > CAPACITY_CHARACTERS && from < entries.length - 1; from++) size -= entries[from]?.size ?? 0;
    entries = entries.slice(from);
  }

  function watch(listener: (entry: LogEntry) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    entries: () => entries.slice(-CAPACITY).map(({ entry }) => entry),
    clear() {
      entries = [];
      size = 0;
    },
    add(entry, held) {
      entries.push({ entry, size: held });
      size += held;
      forgetOldest();
      for (const listener of listeners) listener(entry);
    },
    watch,
    async waitFor(match, options = {}) {
      expectGiven('log.waitFor', given.LogMatch satisfies SchemaFor<LogMatch>, match);
      const { timeoutMs = 5000 } = expectGiven('log.waitFor', given.WaitOptions, options);
      const isMet = matcher(match, basePath);
      const from = entries.findIndex(({ entry }) => entry.id === match.after) + 1;
      const found = entries.slice(from).find(({ entry }) => isMet(entry));
      if (found) return found.entry;
      const { promise, resolve, reject } = Promise.withResolvers<LogEntry>();
      const giveUp = (why: string) => {
        const came = entries.slice(-10).map(({ entry }) => `${entry.method} ${entry.path} ${entry.status}`);
        const wanted = JSON.stringify(match);
        reject(new Error(`No request ${wanted} ${why}; the last ones: ${came.join(', ') || 'none'}`));
      };
      const close = () => giveUp('can come: the sandbox is closed');
      if (isEnded) close();
      const callOff = runAfter(timeoutMs, () => giveUp(`came in ${timeoutMs} ms`));
      const end = watch((entry) => isMet(entry) && resolve(entry));
      waiting.add(close);
      return promise.finally(() => {
        callOff();
        waiting.delete(close);
        end();
      });
    },
    end() {
      isEnded = true;
      for (const close of waiting) close();
    },
  };
}

function matcher(match: LogMatch, basePath: string): (entry: LogEntry) => boolean {
  const { operation, method = '', path, status } = match;
  return (entry) =>
    (operation === undefined || entry.operation === operation) &&
    (method === '' || entry.method === method.toUpperCase()) &&
    (status === undefined || entry.status === status) &&
    (path === undefined ||
      matchesPath(path, entry.path) ||
      matchesPath(path, entry.path.replace(basePath, '')));
}
