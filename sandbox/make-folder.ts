import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it, for this user alone. By hand: where a system refuses a folder as if the one above were
 * missing, as Linux does in `/proc`, `recursive` of Node goes round for ever.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start was quicker.
    if (!existsSync(path)) throw error;
  }
}
