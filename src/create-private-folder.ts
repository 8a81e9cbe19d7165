import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its parents, for this user only. Node's `recursive` never returns if the system reports a folder
 * that can't be created as if its parent were missing, as Linux does in `/proc`.
 */
export function createPrivateFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path)) createPrivateFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(path)) throw error;
  }
}
