import { link, open, rename, unlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Errors of a file that a virus scanner or indexer holds open for a moment, as on Windows. */
const BUSY_CODES = ['EPERM', 'EACCES', 'EBUSY'];
const MAX_ATTEMPTS = 7;

/** Moves a file over another one, and waits up to a second while another program holds either. */
export async function replaceFile(path: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(path, target);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !BUSY_CODES.includes(getCode(error))) throw error;
      await setTimeout(8 * 2 ** attempt);
    }
  }
}

/** Moves a file to a name that no file has. @throws the system's `EEXIST` otherwise: a rename would replace that file. */
export async function moveFile(path: string, target: string): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if (getCode(error) === 'EEXIST') throw error;
    // Not every disk has hard links.
    return moveToReservedName(path, target);
  }
  await unlink(path);
}

/** Like `moveFile`, with a moment in which the name has an empty file. An open handle follows the file to its new name. */
export async function moveToReservedName(path: string, target: string): Promise<void> {
  await (await open(target, 'wx', 0o600)).close();
  await replaceFile(path, target).catch(async (error: unknown) => {
    await unlink(target);
    throw error;
  });
}

function getCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
