import { createHash, randomUUID } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolder } from '../../src/make-folder.ts';
import { getProcessStart, isSameProcess } from './process-liveness.ts';

/** A lock file is created first and written second: until then an empty one counts as held. */
const TOKEN_WRITE_TIMEOUT_MS = 2_000;

/** Tokens of this process: in a container, the next process may have the pid of one that was killed. */
const ownTokens = new Set<string>();

export interface FolderLock {
  /** Returns false if the folder was removed, or created again by another process. */
  isHeld(): boolean;
  release(): void;
}

/**
 * Locks a folder, so that two sandboxes can't overwrite each other. A lock left by a dead process is taken over.
 *
 * @throws Error that names the process holding the lock, or what blocks it
 */
export function lockFolder(folder: string): FolderLock {
  // The process may change its working directory.
  const path = resolve(folder, 'lock');
  const token = `${process.pid} ${randomUUID()} ${getProcessStart(process.pid)}\n`;
  const lock = { isHeld: () => readToken(path) === token, release: () => release(path, token) };
  withFolderError(folder, () => makeFolder(folder));
  for (const isLast of [false, true]) {
    if (acquire(folder, { path, token })) return lock;
    const heldToken = readToken(path);
    if (heldToken === undefined) continue;
    const isAbandoned = !isHeld(heldToken);
    if (isAbandoned && withFolderError(folder, () => takeOver(path, { heldToken, token }))) return lock;
    if (isLast || !isAbandoned)
      throw new Error(
        `${folder} is in use by another sandbox${/^\d/.test(heldToken) ? ` (process ${Number.parseInt(heldToken, 10)})` : ''}: give each one its own folder. If none runs, delete ${path}.`,
      );
  }
  throw new Error(`${folder} can't be locked: another sandbox is starting there`);
}

function acquire(folder: string, { path, token }: { path: string; token: string }): boolean {
  const acquired = withFolderError(folder, () => createLockFile(path, token));
  if (acquired) ownTokens.add(token);
  return acquired;
}

/** Creates a lock file atomically; false if it exists. */
function createLockFile(path: string, token: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
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

function withFolderError<T>(folder: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`The folder ${folder} can't be written (${code}). Choose another folder`);
  }
}

function release(path: string, token: string): void {
  ownTokens.delete(token);
  if (readToken(path) === token) rmSync(path, { force: true });
}

/**
 * Returns the holder's token: empty if not written yet, undefined if there is no file.
 *
 * @throws Error if it is not a file: reading a pipe would block forever
 */
function readToken(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
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
  if (isStale) ownTokens.add(token);
  return isStale;
}
