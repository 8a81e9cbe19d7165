import { createHash, randomUUID } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolder } from '../../src/make-folder.ts';
import { getProcessStart, isSameProcess } from './process-liveness.ts';

/** A lock is made first and marked then: so long an empty one is taken for held. */
const TOKEN_WRITE_TIMEOUT_MS = 2_000;

/** Marks of this process: in a container the next start may bear the number of one that was killed. */
const ownTokens = new Set<string>();

export interface FolderLock {
  /** Whether the folder is still there and this one's: it may be removed, and made anew by another. */
  isHeld(): boolean;
  release(): void;
}

/**
 * Holds a folder for this process, so that no two sandboxes write over each other. A lock whose process is gone is taken
 * over.
 *
 * @throws Error naming the process that holds it, or what is in the way
 */
export function lockFolder(folder: string): FolderLock {
  // The process may go to another folder meanwhile.
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
  throw new Error(`${folder} can't be locked: another sandbox is about to start there`);
}

function acquire(folder: string, { path, token }: { path: string; token: string }): boolean {
  const acquired = withFolderError(folder, () => createLockFile(path, token));
  if (acquired) ownTokens.add(token);
  return acquired;
}

/** Makes a file with a mark in it, whole or not at all; false where one lies there. */
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
    throw new Error(`The folder ${folder} can't be written (${code}): give another one`);
  }
}

function release(path: string, token: string): void {
  ownTokens.delete(token);
  if (readToken(path) === token) rmSync(path, { force: true });
}

/**
 * The mark of who holds the folder, empty where it is not written yet; undefined where nothing lies there any more.
 * @throws Error where something lies there that is no file: a pipe would keep its reader for ever.
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
 * Puts a mark in the place of one that was left behind; false where another start is at it, or was. Only who makes the file that
 * is named after the old mark may: of two that move the lock away, the second would have the first's own in its hands.
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
