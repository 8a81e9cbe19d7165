import { createHash, randomUUID } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { getProcessStart, isStillThere } from '../other-process.ts';

/** A lock is made first and marked then: so long an empty one is taken for held. */
const TOKEN_WRITE_TIMEOUT_MS = 2_000;

/** Marks of this process: in a container the next start may bear the number of one that was killed. */
const own = new Set<string>();

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
  const mark = `${process.pid} ${randomUUID()} ${getProcessStart(process.pid)}\n`;
  const lock = { isHeld: () => markIn(path) === mark, release: () => release(path, mark) };
  inWords(folder, () => makeFolder(folder));
  for (const isLast of [false, true]) {
    if (claim(folder, { path, mark })) return lock;
    const held = markIn(path);
    if (held === undefined) continue;
    const isFree = !isHeld(held);
    if (isFree && inWords(folder, () => takeOver(path, { held, mark }))) return lock;
    if (isLast || !isFree)
      throw new Error(
        `${folder} is in use by another sandbox${/^\d/.test(held) ? ` (process ${Number.parseInt(held, 10)})` : ''}: give each one its own folder. If none runs, delete ${path}.`,
      );
  }
  throw new Error(`${folder} can't be locked: another sandbox is about to start there`);
}

function claim(folder: string, { path, mark }: { path: string; mark: string }): boolean {
  const isOurs = inWords(folder, () => makeMarked(path, mark));
  if (isOurs) own.add(mark);
  return isOurs;
}

/** Makes a file with a mark in it, whole or not at all; false where one lies there. */
function makeMarked(path: string, mark: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(file, mark);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function inWords<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`The folder ${folder} can't be written (${code}): give another one`);
  }
}

function release(path: string, mark: string): void {
  own.delete(mark);
  if (markIn(path) === mark) rmSync(path, { force: true });
}

/**
 * The mark of who holds the folder, empty where it is not written yet; undefined where nothing lies there any more.
 * @throws Error where something lies there that is no file: a pipe would keep its reader for ever.
 */
function markIn(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) throw new Error(`${path} is in the way: it is no file. Take it away.`);
  if (found.size === 0) return Date.now() - found.mtimeMs < TOKEN_WRITE_TIMEOUT_MS ? '' : 'none';
  return readFileSync(path, 'utf8').slice(0, 100);
}

function isHeld(mark: string): boolean {
  const pid = Number.parseInt(mark, 10);
  if (mark === '' || pid === process.pid) return mark === '' || own.has(mark);
  return isStillThere(pid, mark.trim().split(' ')[2] ?? '');
}

/**
 * Puts a mark in the place of one that was left behind; false where another start is at it, or was. Only who makes the file that
 * is named after the old mark may: of two that move the lock away, the second would have the first's own in its hands.
 */
function takeOver(path: string, { held, mark }: { held: string; mark: string }): boolean {
  const turn = `${path}.${createHash('sha256').update(held).digest('hex').slice(0, 16)}`;
  if (!makeMarked(turn, mark)) return false;
  const isLeft = markIn(path) === held;
  if (isLeft) renameSync(turn, path);
  else rmSync(turn, { force: true });
  if (isLeft) own.add(mark);
  return isLeft;
}
