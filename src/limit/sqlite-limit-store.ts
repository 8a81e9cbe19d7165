import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { DocshareError } from '../errors.ts';
import type { LimitRequest, LimitStore } from './limit-store.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS starts (start TEXT PRIMARY KEY, id TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS starts_by_time ON starts (id, at);
  CREATE TABLE IF NOT EXISTS held (id TEXT PRIMARY KEY, at INTEGER NOT NULL, ms INTEGER NOT NULL) WITHOUT ROWID;
`;

/** SQLite's code for a file that another process holds. */
const BUSY = 5;

/** A file that others hold for longer is given up for a while, see {@link LimitStore.take}. */
const MAX_BUSY_MS = 2000;

/**
 * Milliseconds since the machine started: the one clock that all its processes share and nobody can set. After a new
 * start of the machine it begins again, and what stands in the file lies ahead of it: that then counts as of now, so
 * that nothing bursts, and nothing waits for longer than it would have.
 */
function machineNow(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

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
    if (attempt > 200) throw stuck(path);
    await setTimeout(5 + Math.random() * 20);
  }
  const statements = {
    forget: database.prepare('DELETE FROM starts WHERE id = ? AND at <= ?'),
    bringBack: database.prepare('UPDATE starts SET at = :now WHERE id = :id AND at > :now'),
    // The start that has to leave the window before another one fits.
    blocking: database.prepare('SELECT at FROM starts WHERE id = ? ORDER BY at DESC LIMIT 1 OFFSET ?'),
    book: database.prepare(
      'INSERT INTO starts (start, id, at) VALUES (:start, :id, :now) ON CONFLICT (start) DO UPDATE SET at = :now',
    ),
    bringBackHold: database.prepare('UPDATE held SET at = :now WHERE id = :id AND at > :now'),
    held: database.prepare('SELECT at + ms AS until FROM held WHERE id = ?'),
    hold: database.prepare(
      'INSERT INTO held (id, at, ms) VALUES (:id, :now, :ms) ON CONFLICT (id) DO UPDATE SET at = :now, ms = :ms WHERE at + ms < :now + :ms OR at > :now',
    ),
  };

  function take({ id, requests, windowMs, start }: LimitRequest): number {
    const now = machineNow();
    statements.bringBackHold.run({ id, now });
    const until = Number(statements.held.get(id)?.['until'] ?? 0);
    if (until > now) return until - now;
    statements.forget.run(id, now - windowMs);
    statements.bringBack.run({ id, now });
    const blocking = statements.blocking.get(id, requests - 1);
    if (blocking) return Math.max(1, Number(blocking['at']) + windowMs - now);
    statements.book.run({ start, id, now });
    return 0;
  }

  let busySince: number | undefined;
  return {
    take(limit) {
      const waitMs = whenFree(() => inTransaction(database, () => take(limit)));
      if (waitMs !== undefined) {
        busySince = undefined;
        return waitMs;
      }
      busySince ??= machineNow();
      if (machineNow() - busySince > MAX_BUSY_MS) throw stuck(path);
      return 5 + Math.random() * 20;
    },
    renew({ id, start }) {
      whenFree(() => statements.book.run({ start, id, now: machineNow() }));
    },
    pause(id, until) {
      const ms = Math.ceil(until - Date.now());
      if (ms > 0) whenFree(() => statements.hold.run({ id, now: machineNow(), ms }));
    },
    close: () => database.close(),
  };
}

function stuck(path: string): DocshareError {
  return new DocshareError(`The limit file ${path} stays locked by another process.`);
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
