import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { DocshareError } from '../errors.ts';
import type { LimitRequest, LimitStore } from './limit-store.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS starts (id TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS starts_by_time ON starts (id, at);
  CREATE TABLE IF NOT EXISTS pauses (id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
`;

/** SQLite's code for a file that another process holds. */
const BUSY = 5;

/**
 * A limit that all processes of this machine keep together, in one SQLite file that is made where it is missing.
 * @example
 * const client = createClient({ limitStore: await openSqliteLimitStore('/var/tmp/docshare-limit.db') });
 */
export async function openSqliteLimitStore(path: string): Promise<LimitStore & { close(): void }> {
  // Lazy: this module of Node prints a warning when it loads, and few programs need it.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  // A held file must not hold up the event loop for long: whoever is refused asks again.
  database.exec('PRAGMA busy_timeout = 10');
  // Several processes may make the file at the same moment.
  for (let attempt = 0; !whenFree(() => prepareFile(database)); attempt++) {
    if (attempt > 200) throw new DocshareError(`The limit file ${path} stays locked by another process.`);
    await setTimeout(5 + Math.random() * 20);
  }
  const statements = {
    forget: database.prepare('DELETE FROM starts WHERE id = ? AND at <= ?'),
    pausedUntil: database.prepare('SELECT until FROM pauses WHERE id = ?'),
    // The start that has to leave the window before another one fits.
    blocking: database.prepare('SELECT at FROM starts WHERE id = ? ORDER BY at DESC LIMIT 1 OFFSET ?'),
    book: database.prepare('INSERT INTO starts (id, at) VALUES (?, ?)'),
    pause: database.prepare(
      'INSERT INTO pauses (id, until) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET until = max(until, excluded.until)',
    ),
  };

  function take({ id, requests, windowMs, now }: LimitRequest): number {
    const until = Number(statements.pausedUntil.get(id)?.['until'] ?? 0);
    if (until > now) return until - now;
    statements.forget.run(id, now - windowMs);
    const blocking = statements.blocking.get(id, requests - 1);
    if (blocking) return Math.max(1, Number(blocking['at']) + windowMs - now);
    statements.book.run(id, now);
    return 0;
  }

  return {
    take: (limit) => whenFree(() => inTransaction(database, () => take(limit))) ?? 5 + Math.random() * 20,
    pause(id, until) {
      whenFree(() => statements.pause.run(id, Math.ceil(until)));
    },
    close: () => database.close(),
  };
}

function prepareFile(database: DatabaseSync): true {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec(SCHEMA);
  return true;
}

function inTransaction<Result>(database: DatabaseSync, act: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = act();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Undefined where another process holds the file. */
function whenFree<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    // The low byte: SQLite tells several kinds of busy apart in the bits above.
    if (error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === BUSY)
      return undefined;
    throw error;
  }
}
