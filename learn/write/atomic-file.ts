import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isWorkingFolderMissing, WORKING_FOLDER_MISSING } from '../../src/command-line.ts';
import { InputError } from '../../src/errors.ts';
import { replaceFile } from '../../src/move-file.ts';

export const PROFILE_FILE = 'docshare.profile.json';
export const MARKDOWN_FILE = 'docshare.learned.md';

const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * Writes a file atomically, readable only by its owner.
 * @throws InputError if the folder is not writable.
 */
export async function writeFileAtomically(folder: string, name: string, content: string): Promise<string> {
  const path = join(folder, name);
  const tempPath = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await ensureFolder(folder);
    const file = await open(tempPath, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await replaceFile(tempPath, path);
    return path;
  } catch (error) {
    await rm(tempPath, { force: true }).catch(() => undefined);
    if (error instanceof InputError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const hint = DISK_FULL_CODES.includes(code) ? ' The disk is full.' : '';
    throw new InputError(`${path} can't be written (${code}).${hint} Any existing file is unchanged.`);
  }
}

/**
 * Creates the folder, but not its parents: a recursive `mkdir` never ends in `/proc`.
 * @throws InputError if it can't be created or written to.
 */
export async function ensureFolder(folder: string): Promise<void> {
  try {
    // Throws if the working folder was deleted; `mkdir` does not.
    resolve(folder);
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (isWorkingFolderMissing(error)) throw new InputError(WORKING_FOLDER_MISSING);
    throw new InputError(
      `The folder ${folder} can't be written to (${(error as NodeJS.ErrnoException).code ?? 'unknown'}). Choose another with --out.`,
    );
  }
}
