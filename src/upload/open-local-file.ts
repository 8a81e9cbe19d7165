import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { InputError } from '../errors.ts';
import { createFileReader } from './file-reader.ts';

/**
 * The path that a text or an address names.
 * @throws InputError for an address that is no `file:`.
 */
export function toFilePath(pathOrUrl: string | URL): string {
  if (pathOrUrl === '') throw new InputError('The path of the file is empty.');
  const isFileUrl = pathOrUrl instanceof URL || /^file:\/\//i.test(pathOrUrl);
  if (!isFileUrl) {
    if (/^(?:https?|data|blob):/i.test(pathOrUrl)) throw createNotLocalError();
    return pathOrUrl;
  }
  try {
    return fileURLToPath(pathOrUrl);
  } catch {
    throw createNotLocalError();
  }
}

function createNotLocalError(): InputError {
  return new InputError(
    'Only files of this machine can be named by address (file:); fetch others first and pass their bytes or stream.',
  );
}

/**
 * Opens a file for reading at any place of it.
 * @param check may throw, once the file is open and can't be exchanged any more.
 * @throws InputError for what is no regular file, or can't be read.
 */
export async function openLocalFile(path: string, check?: (handle: FileHandle) => Promise<void>) {
  const statsBefore = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw toReadError(path, error);
  });
  // Before it is opened: to open a pipe would wait for its writer.
  if (!statsBefore.isFile()) throw new InputError(`${path} is ${describeFileType(statsBefore)}, not a file.`);
  // Without a wait, should a pipe have taken its place since.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw toReadError(path, error);
  });
  const stats = await handle.stat();
  if (!stats.isFile()) {
    await handle.close();
    throw new InputError(`${path} is ${describeFileType(stats)}, not a file.`);
  }
  await check?.(handle).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const isUnchanged = async () => {
    const currentStats = await handle.stat();
    return currentStats.size === stats.size && currentStats.mtimeMs === stats.mtimeMs;
  };
  return createFileReader({ handle, size: stats.size, isUnchanged });
}

function toReadError(path: string, { code }: NodeJS.ErrnoException): InputError {
  if (code === 'ENOENT' || code === 'ENOTDIR') return new InputError(`There is no file at ${path}.`);
  return new InputError(`The file at ${path} can't be read${code ? ` (${code})` : ''}.`);
}

function describeFileType(stats: Awaited<ReturnType<FileHandle['stat']>>): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
