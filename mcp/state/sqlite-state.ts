import { randomBytes } from 'node:crypto';
import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { canonicalJson } from '../canonical-json.ts';
import { loadSqlite } from './load-sqlite.ts';
import { type SharedState, SINGLE_SERVER_STATUS } from './shared-state.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS secrets (id INTEGER PRIMARY KEY CHECK (id = 1), bytes BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, entry TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_end ON entries (until);
`;

/** SQLite's code for a file that another process holds. */
const SQLITE_BUSY = 5;
/** Some seconds in all: whoever holds the file writes one short line. */
const MAX_ATTEMPTS = 300;

/**
 * A state in one SQLite file, which is made where it is missing and opened to nobody else.
 * @throws the system's or SQLite's error where the file can't be used.
 */
export async function openSqliteState(
  path: string,
  options: { now?: () => number } = {},
): Promise<SharedState> {
  const { now = Date.now } = options;
  ensurePrivateFile(path);
  const { DatabaseSync } = loadSqlite();
  const { openSqliteLimitStore } = await import('../../src/index.ts');
  const limit = await openSqliteLimitStore(path);
  const database = new DatabaseSync(path);
  // A held file must not hold up the event loop for long: whoever is refused asks again.
  database.exec('PRAGMA busy_timeout = 10');
  await retryWhileBusy(() => database.exec(SCHEMA));
  const secret = await retryWhileBusy(() => getOrCreateSecret(database));
  const statements = {
    find: database.prepare('SELECT entry FROM entries WHERE key = ? AND until > ?'),
    write: database.prepare(
      'INSERT INTO entries (key, entry, until) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET entry = excluded.entry, until = excluded.until',
    ),
    // One statement, which is one step for every process: it writes only over an entry whose time is over.
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
      statements.write.run(key, canonicalJson(entry), Math.ceil(until));
    });
  const remove = (key: string) => retryWhileBusy(() => void statements.remove.run(key));

  return {
    secret,
    limit,
    // The secret stands in the same file, so that sealing would hide nothing.
    canStoreUserText: false,
    get: (key) => retryWhileBusy(() => find(key)),
    put,
    async putIfAbsent(key, entry, until) {
      for (;;) {
        const written = await retryWhileBusy(() =>
          statements.putIfAbsent.run(key, canonicalJson(entry), Math.ceil(until), now()),
        );
        if (Number(written.changes) > 0) return undefined;
        const existing = await retryWhileBusy(() => find(key));
        // It may have ended between the two steps; then the claim is tried again.
        if (existing) return existing;
      }
    },
    async compareAndSwap(key, { from, to, until }) {
      const { changes } = await retryWhileBusy(() =>
        statements.compareAndSwap.run(canonicalJson(to), Math.ceil(until), key, canonicalJson(from), now()),
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

/** Makes the file, or takes an existing one, so that only its owner can read it. SQLite's side files take over its mode. */
function ensurePrivateFile(path: string): void {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    const found = fstatSync(file);
    if (found.isFile() && (found.mode & 0o077) !== 0) fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

/** The first server makes it, all others find it. */
function getOrCreateSecret(database: DatabaseSync): Buffer {
  database.prepare('INSERT OR IGNORE INTO secrets (id, bytes) VALUES (1, ?)').run(randomBytes(32));
  const bytes = database.prepare('SELECT bytes FROM secrets WHERE id = 1').get()?.['bytes'];
  if (!(bytes instanceof Uint8Array) || bytes.byteLength < 32) throw new Error('The state holds no secret');
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
      // The low byte: SQLite tells several kinds of busy apart in the bits above.
      const isBusy =
        error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
      if (!isBusy || attempt >= MAX_ATTEMPTS) throw error;
      await setTimeout(5 + Math.random() * 20);
    }
  }
}
