import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { DocshareError, FileError, InputError } from '../errors.ts';
import type { LimitRequest, LimitStore } from './limit-store.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS starts (start TEXT PRIMARY KEY, id TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS starts_by_time ON starts (id, at);
  CREATE TABLE IF NOT EXISTS held (id TEXT PRIMARY KEY, at INTEGER NOT NULL, ms INTEGER NOT NULL) WITHOUT ROWID;
`;

/** SQLite's code for a locked file. */
const SQLITE_BUSY = 5;

/** After this time locked, the store throws, see {@link LimitStore.take}. */
const MAX_BUSY_MS = 2000;

/**
 * Milliseconds since the machine started: a clock shared by all its processes that cannot be set. After a
 * reboot, times in the file are in the future; they then count as now, so nothing bursts or waits longer.
 */
function getMonotonicMachineMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/**
 * Opens a limit shared by all processes of this machine, in a SQLite file that is created if missing.
 * @throws FileError if it can't be opened.
 * @example
 * const client = createClient({ limitStore: await openSqliteLimitStore('/var/tmp/docshare-limit.db') });
 */
export async function openSqliteLimitStore(path: string): Promise<LimitStore & { close(): void }> {
  // Lazy: node:sqlite prints a warning when it loads, and few programs need it.
  const { DatabaseSync } = await import('node:sqlite');
  if (typeof path !== 'string' || path === '')
    throw new InputError('openSqliteLimitStore needs the path of a file, such as /var/tmp/docshare-limit.db.');
  const database = explainErrors(path, () => new DatabaseSync(path));
  // Several processes may create the file at once.
  for (let attempt = 0; !explainErrors(path, () => tryUnlessBusy(() => prepareFile(database))); attempt++) {
    if (attempt > 200) throw createLockedError(path);
    await setTimeout(5 + Math.random() * 20);
  }
  const statements = {
    deleteExpired: database.prepare('DELETE FROM starts WHERE id = ? AND at <= ?'),
    clampFutureStarts: database.prepare('UPDATE starts SET at = :now WHERE id = :id AND at > :now'),
    // The start that must leave the window before the next.
    blockingStart: database.prepare('SELECT at FROM starts WHERE id = ? ORDER BY at DESC LIMIT 1 OFFSET ?'),
    insertStart: database.prepare(
      'INSERT INTO starts (start, id, at) VALUES (:start, :id, :now) ON CONFLICT (start) DO UPDATE SET at = :now',
    ),
    clampFuturePause: database.prepare('UPDATE held SET at = :now WHERE id = :id AND at > :now'),
    pausedUntil: database.prepare('SELECT at + ms AS until FROM held WHERE id = ?'),
    insertPause: database.prepare(
      'INSERT INTO held (id, at, ms) VALUES (:id, :now, :ms) ON CONFLICT (id) DO UPDATE SET at = :now, ms = :ms WHERE at + ms < :now + :ms OR at > :now',
    ),
  };

  function takeStart({ id, requests, windowMs, start }: LimitRequest): number {
    const now = getMonotonicMachineMs();
    statements.clampFuturePause.run({ id, now });
    const until = Number(statements.pausedUntil.get(id)?.['until'] ?? 0);
    if (until > now) return until - now;
    statements.deleteExpired.run(id, now - windowMs);
    statements.clampFutureStarts.run({ id, now });
    const blockingStart = statements.blockingStart.get(id, requests - 1);
    if (blockingStart) return Math.max(1, Number(blockingStart['at']) + windowMs - now);
    statements.insertStart.run({ start, id, now });
    return 0;
  }

  let busySince: number | undefined;
  return {
    take(limit) {
      const waitMs = tryUnlessBusy(() => inTransaction(database, () => takeStart(limit)));
      if (waitMs !== undefined) {
        busySince = undefined;
        return waitMs;
      }
      busySince ??= getMonotonicMachineMs();
      if (getMonotonicMachineMs() - busySince > MAX_BUSY_MS) throw createLockedError(path);
      return 5 + Math.random() * 20;
    },
    renew({ id, start }) {
      tryUnlessBusy(() => statements.insertStart.run({ start, id, now: getMonotonicMachineMs() }));
    },
    pause(id, until) {
      const ms = Math.ceil(until - Date.now());
      if (ms > 0) tryUnlessBusy(() => statements.insertPause.run({ id, now: getMonotonicMachineMs(), ms }));
    },
    close: () => database.close(),
  };
}

function createLockedError(path: string): DocshareError {
  return new DocshareError(`The rate limit file ${path} is locked by another process.`);
}

/** By the primary result codes of SQLite. */
const OPEN_PROBLEMS: Readonly<Record<number, (path: string) => string>> = {
  8: () => 'is read-only. Choose a file that this user may write',
  14: (path) => {
    if (!existsSync(dirname(path))) return 'can not be created, because its folder does not exist';
    if (!existsSync(path)) return 'can not be created. Check the permissions of its folder';
    return statSync(path).isDirectory() ? 'is a folder. Add a file name' : 'can not be opened. Check its permissions';
  },
  26: () => 'is not a SQLite database. Choose another file',
};

/** @throws FileError that says what is wrong with the file. */
function explainErrors<Result>(path: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    const problem = OPEN_PROBLEMS[getSqliteCode(error)]?.(path);
    throw problem === undefined ? error : new FileError(`The rate limit file ${path} ${problem}.`, 'ERR_SQLITE_ERROR');
  }
}

function prepareFile(database: DatabaseSync): true {
  // A locked file must not block the event loop: the caller retries.
  database.exec('PRAGMA busy_timeout = 10');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec(SCHEMA);
  return true;
}

function inTransaction<Result>(database: DatabaseSync, operation: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = operation();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Returns undefined if another process holds the file. */
function tryUnlessBusy<Result>(operation: () => Result): Result | undefined {
  try {
    return operation();
  } catch (error) {
    if (getSqliteCode(error) === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/** Returns the low byte of SQLite's code, as the higher bits hold its kind; 0 for another error. */
function getSqliteCode(error: unknown): number {
  return Number(Object(error).errcode) & 0xff;
}
