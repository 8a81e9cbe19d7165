import { closeSync, existsSync, lstatSync, openSync, rmSync } from 'node:fs';
import { loadSqlite } from '../mcp/state/load-sqlite.ts';

/** After this, a process continues without the lock. */
const LOCK_TIMEOUT_MS = 120_000;

/**
 * Runs a slow action in one process at a time. `path` is the lock file; the system releases the lock if the process is
 * killed. Without a lock the action still runs, with `hasLock: false`.
 */
export function withProcessLock(path: string, action: (hasLock: boolean) => void): void {
  const release = acquireProcessLock(path);
  try {
    action(release !== undefined);
  } finally {
    release?.();
  }
}

/**
 * Waits for the lock and returns the function that releases it. Returns undefined after the timeout, if the lock file was
 * removed meanwhile, or if files can't be locked here.
 */
export function acquireProcessLock(path: string): (() => void) | undefined {
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Another process has just created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return undefined;
  }
  // The path can be guessed, so another user's file is not opened.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !(found.isFile() && (!process.getuid || found.uid === process.getuid()))) return undefined;
  try {
    const database = new (loadSqlite().DatabaseSync)(path, { timeout: LOCK_TIMEOUT_MS });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch {
      database.close();
      return undefined;
    }
    return () => {
      // Removed before the release: later processes find the work done and need no lock.
      rmSync(path, { force: true });
      database.close();
    };
  } catch {
    return undefined;
  }
}
