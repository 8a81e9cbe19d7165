import { randomBytes } from 'node:crypto';
import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { toCanonicalJson } from '../canonical-json.ts';
import { loadSqlite } from './load-sqlite.ts';
import { type SharedState, SINGLE_SERVER_STATUS } from './shared-state.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS secrets (id INTEGER PRIMARY KEY CHECK (id = 1), bytes BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, entry TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_end ON entries (until);
`;

/** SQLite's error code for a locked file. */
const SQLITE_BUSY = 5;
/** A few seconds in total: the file is locked only for short writes. */
const MAX_ATTEMPTS = 300;

/**
 * Opens a state in an SQLite file, which is created if missing and readable by its owner only.
 * @throws the system's or SQLite's error if the file can't be used.
 */
export async function openSqliteState(path: string, options: { now?: () => number } = {}): Promise<SharedState> {
  const { now = Date.now } = options;
  ensurePrivateFile(path);
  const { DatabaseSync } = loadSqlite();
  const { openSqliteLimitStore } = await import('../../src/index.ts');
  const limit = await openSqliteLimitStore(path);
  const database = new DatabaseSync(path);
  // A locked file must not block the event loop; busy operations are retried.
  database.exec('PRAGMA busy_timeout = 10');
  await retryWhileBusy(() => database.exec(SCHEMA));
  const secret = await retryWhileBusy(() => getOrCreateSecret(database));
  const statements = {
    find: database.prepare('SELECT entry FROM entries WHERE key = ? AND until > ?'),
    write: database.prepare(
      'INSERT INTO entries (key, entry, until) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET entry = excluded.entry, until = excluded.until',
    ),
    // One atomic statement that replaces only an expired entry.
    putIfAbsent: database.prepare(
      'INSERT INTO entries (key, entry, until) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET entry = excluded.entry, until = excluded.until WHERE entries.until <= ?',
    ),
    compareAndSwap: database.prepare(
      'UPDATE entries SET entry = ?, until = ? WHERE key = ? AND entry = ? AND until > ?',
    ),
    remove: database.prepare('DELETE FROM entries WHERE key = ?'),
    deleteExpired: database.prepare('DELETE FROM entries WHERE until <= ?'),
  };
  const find = (key: string) => parseEntry(statements.find.get(key, now())?.['entry']);

  const put = (key: string, entry: JsonObject, until: number) =>
    retryWhileBusy(() => {
      statements.deleteExpired.run(now());
      statements.write.run(key, toCanonicalJson(entry), Math.ceil(until));
    });
  const remove = (key: string) => retryWhileBusy(() => void statements.remove.run(key));

  return {
    secret,
    limit,
    // The secret is in the same file, so encryption would hide nothing.
    canStoreUserText: false,
    get: (key) => retryWhileBusy(() => find(key)),
    put,
    async putIfAbsent(key, entry, until) {
      for (;;) {
        const written = await retryWhileBusy(() =>
          statements.putIfAbsent.run(key, toCanonicalJson(entry), Math.ceil(until), now()),
        );
        if (Number(written.changes) > 0) return undefined;
        const existing = await retryWhileBusy(() => find(key));
        // It may have expired between the two steps; then this is retried.
        if (existing) return existing;
      }
    },
    async compareAndSwap(key, { from, to, until }) {
      const { changes } = await retryWhileBusy(() =>
        statements.compareAndSwap.run(toCanonicalJson(to), Math.ceil(until), key, toCanonicalJson(from), now()),
      );
      return Number(changes) > 0;
    },
    remove,
    async writeEventually(key, entry, until) {
      await (entry ? put(key, entry, until) : remove(key));
      return true;
    },
    getStatus: () => ({ backend: 'file', ...SINGLE_SERVER_STATUS }),
    async close() {
      limit.close();
      database.close();
    },
  };
}

/** Creates the file, or restricts an existing one to its owner. SQLite's side files copy its mode. */
function ensurePrivateFile(path: string): void {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    const found = fstatSync(file);
    if (found.isFile() && (found.mode & 0o077) !== 0) fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

/** The first server creates the secret, all others read it. */
function getOrCreateSecret(database: DatabaseSync): Buffer {
  database.prepare('INSERT OR IGNORE INTO secrets (id, bytes) VALUES (1, ?)').run(randomBytes(32));
  const bytes = database.prepare('SELECT bytes FROM secrets WHERE id = 1').get()?.['bytes'];
  if (!(bytes instanceof Uint8Array) || bytes.byteLength < 32) throw new Error('The state has no secret');
  return Buffer.from(bytes);
}

function parseEntry(text: unknown): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  const entry: unknown = JSON.parse(text);
  return isObject(entry) ? entry : undefined;
}

async function retryWhileBusy<Result>(operation: () => Result): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return operation();
    } catch (error) {
      // The low byte: SQLite puts variants of busy into the bits above.
      const isBusy = error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
      if (!isBusy || attempt >= MAX_ATTEMPTS) throw error;
      await setTimeout(5 + Math.random() * 20);
    }
  }
}
