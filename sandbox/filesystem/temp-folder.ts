import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Temporary folders of running sandboxes, removed when the process exits. */
const tempFolders = new Set<string>();

/** Creates a temporary folder that is removed when the process exits. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docshare-sandbox-'));
  if (tempFolders.size === 0) process.on('exit', removeTempFolders);
  tempFolders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  tempFolders.delete(folder);
  if (tempFolders.size === 0) process.off('exit', removeTempFolders);
}

/** Failing to clean up must not change how the process exits. */
function removeTempFolders(): void {
  for (const folder of tempFolders)
    try {
      rmSync(folder, { recursive: true });
    } catch {}
}

/** Returns true for a folder of this user that is not a symbolic link. */
export function isOwnedFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (!process.getuid || found.uid === process.getuid());
}
