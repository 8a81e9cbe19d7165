import { createHash, randomUUID } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { getProcessStart, isSameProcess } from './process-liveness.ts';

/** A lock file is created first and written second: until then an empty one counts as held. */
const TOKEN_WRITE_TIMEOUT_MS = 2_000;

/** Tokens of this process: in a container, the next process may have the PID of one that was killed. */
const ownTokens = new Set<string>();

export interface FileLock {
  /** Returns false if the file was removed, or created again by another process. */
  isHeld(): boolean;
  release(): void;
}

/** Another process holds the lock. */
interface LockHolder {
  /** Undefined if it has not written its PID yet. */
  readonly pid: number | undefined;
}

/**
 * Creates a lock file, or takes it over from a process that has ended.
 *
 * @throws Error if the path is not a file, or the system's error if it can't be written
 */
export function lockFile(path: string): FileLock | LockHolder {
  const token = `${process.pid} ${randomUUID()} ${getProcessStart(process.pid)}\n`;
  ownTokens.add(token);
  const lock = { isHeld: () => readToken(path) === token, release: () => release(path, token) };
  if (createLockFile(path, token)) return lock;
  const heldToken = readToken(path);
  if (heldToken === undefined) return createLockFile(path, token) ? lock : { pid: undefined };
  if (isHeld(heldToken)) return { pid: Number.parseInt(heldToken, 10) || undefined };
  return takeOver(path, { heldToken, token }) ? lock : { pid: undefined };
}

function release(path: string, token: string): void {
  ownTokens.delete(token);
  if (readToken(path) === token) rmSync(path, { force: true });
}

/** Creates a lock file atomically; false if it exists. */
function createLockFile(path: string, token: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(file, token);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the holder's token: empty if not written yet, undefined if there is no file.
 *
 * @throws Error if it is not a file: reading a pipe would block forever
 */
function readToken(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  // Replaced, never followed.
  if (found.isSymbolicLink()) return 'none';
  if (!found.isFile()) throw new Error(`${path} exists but is not a file. Remove it and try again.`);
  if (found.size === 0) return Date.now() - found.mtimeMs < TOKEN_WRITE_TIMEOUT_MS ? '' : 'none';
  return readFileSync(path, 'utf8').slice(0, 100);
}

function isHeld(token: string): boolean {
  const pid = Number.parseInt(token, 10);
  if (token === '' || pid === process.pid) return token === '' || ownTokens.has(token);
  return isSameProcess(pid, token.trim().split(' ')[2] ?? '');
}

/**
 * Replaces a stale lock; false if another process is faster. Only the process that creates the file named after the old
 * token may do it: of two that move the lock away, the second would move the first one's new lock.
 */
function takeOver(path: string, { heldToken, token }: { heldToken: string; token: string }): boolean {
  const takeoverPath = `${path}.${createHash('sha256').update(heldToken).digest('hex').slice(0, 16)}`;
  if (!createLockFile(takeoverPath, token)) return false;
  const isStale = readToken(path) === heldToken;
  if (isStale) renameSync(takeoverPath, path);
  else rmSync(takeoverPath, { force: true });
  return isStale;
}
