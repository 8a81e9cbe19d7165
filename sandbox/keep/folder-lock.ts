import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/**
 * Holds a folder for this process, so that no two sandboxes write over each other; returns the end of it. A lock whose
 * process is gone is taken over.
 *
 * @throws Error naming the process that holds it
 */
export function lockFolder(folder: string): () => void {
  makeFolder(folder);
  const path = join(folder, 'lock');
  for (const isLast of [false, true]) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = Number(readFileSync(path, 'utf8'));
      if (isLast || isAlive(holder))
        throw new Error(
          `${folder} is in use by another sandbox (process ${holder}): give each one its own folder`,
        );
      rmSync(path, { force: true });
    }
  }
  throw new Error(`${folder} can't be locked`);
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
