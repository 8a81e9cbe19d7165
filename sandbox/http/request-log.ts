import type { OperationName } from '../../src/operations/index.ts';
import { redactKeys } from '../state/key-ring.ts';

/** One request as it came and how it went. Keys appear as fingerprints, signatures of addresses not at all. */
export interface LogEntry {
  readonly id: string;
  /** Epoch ms by the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** `POST /links`, `PUT storage`, `GET storage`; unset where no route matched. */
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
  /** Whether a fault shaped the answer. */
  readonly fault?: boolean;
  readonly ms: number;
}

export interface RequestLog {
  entries(): readonly LogEntry[];
  clear(): void;
  add(entry: LogEntry): void;
  /** Called with each new entry; returns the end of it. */
  watch(listener: (entry: LogEntry) => void): () => void;
}

/** The log forgets its oldest entries beyond this many. */
const CAPACITY = 20_000;

export function createRequestLog(): RequestLog {
  let entries: LogEntry[] = [];
  const listeners = new Set<(entry: LogEntry) => void>();
  return {
    entries: () => entries.slice(-CAPACITY),
    clear() {
      entries = [];
    },
    add(entry) {
      entries.push(entry);
      // Cut in large steps: cutting at each entry would copy the whole list each time.
      if (entries.length > CAPACITY * 1.25) entries = entries.slice(-CAPACITY);
      for (const listener of listeners) listener(entry);
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** How many characters of a body are kept. */
const BODY_LIMIT = 64 * 1024;

const SECRET_QUERY = /signature|token|^sig$/i;

/** Copies what a request carried, without what must not be kept. */
export function redactRequest(input: { headers: Headers; query: URLSearchParams; body: unknown }) {
  const headers: Record<string, string> = {};
  for (const [name, value] of input.headers)
    headers[name] = name === 'authorization' ? redactAuthorization(value) : redactKeys(value);
  const query: Record<string, string> = {};
  for (const [name, value] of input.query)
    query[name] = SECRET_QUERY.test(name) ? '(hidden)' : redactKeys(value);
  return { headers, query, ...(input.body === undefined ? {} : { body: redactBody(input.body) }) };
}

/** A large body, such as an inline file, is noted by its size alone. */
function redactBody(body: unknown): unknown {
  const text = JSON.stringify(body);
  return text.length > BODY_LIMIT ? `(${text.length} characters)` : JSON.parse(redactKeys(text));
}

/** A foreign key is hidden too: it may be a real one. */
function redactAuthorization(value: string): string {
  const redacted = redactKeys(value);
  return redacted === value ? '(hidden)' : redacted;
}
