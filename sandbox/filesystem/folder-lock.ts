import { resolve } from 'node:path';
import { createPrivateFolder } from '../../src/create-private-folder.ts';
import { type FileLock, lockFile } from '../../src/lock-file.ts';

/**
 * Locks a folder, so that two sandboxes can't overwrite each other.
 *
 * @throws Error that names the process holding the lock, or what blocks it
 */
export function lockFolder(folder: string): FileLock {
  // The process may change its working directory.
  const path = resolve(folder, 'lock');
  const lock = withFolderError(folder, () => {
    createPrivateFolder(folder);
    return lockFile(path);
  });
  if ('release' in lock) return lock;
  throw new Error(
    `${folder} is in use by another sandbox${lock.pid === undefined ? '' : ` (process ${lock.pid})`}: give each one its own folder. If none runs, delete ${path}.`,
  );
}

function withFolderError<T>(folder: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`The folder ${folder} can't be written (${code}). Choose another folder`);
  }
}
