import { closeSync, existsSync, lstatSync, openSync, rmSync } from 'node:fs';
import { loadSqlite } from '../mcp/state/load-sqlite.ts';

/** How long another may take before one goes on beside it. */
const LOCK_TIMEOUT_MS = 120_000;

/**
 * Does what takes long while no other process does it; the others wait, and find it done. `path` names the lock, which the
 * system itself gives back where its process is killed. Where nothing can be locked `action` is told that it is not alone.
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
 * Waits until no other process holds `path`, and holds it until the answer is called; undefined where that takes too long, the other
 * took its lock away meanwhile, or nothing can be locked.
 */
export function acquireProcessLock(path: string): (() => void) | undefined {
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Another has just made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return undefined;
  }
  // The name can be guessed: what someone else put there is not opened.
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
      // Taken away first: who has it open waits for this one, and who comes later finds the work done.
      rmSync(path, { force: true });
      database.close();
    };
  } catch {
    return undefined;
  }
}
