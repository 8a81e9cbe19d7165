import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../src/errors.ts';

export const PROFILE_FILE = 'docshare.profile.json';
export const MARKDOWN_FILE = 'docshare.learned.md';
export const HTML_FILE = 'docshare.learned.html';

/**
 * Writes a file whole or not at all, readable by its owner alone.
 * @throws InputError where the folder can't be written to.
 */
export async function writeWhole(folder: string, name: string, content: string): Promise<string> {
  const path = join(folder, name);
  const next = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(next, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
    return path;
  } catch (error) {
    // Where the folder is none, this fails as well.
    await rm(next, { force: true }).catch(() => undefined);
    throw new InputError(`${path} can't be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}
