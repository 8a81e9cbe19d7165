import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { InputError } from '../errors.ts';
import { createFileReader } from './file-reader.ts';

/**
 * Returns the path of a path or `file:` URL.
 * @throws InputError for any other URL.
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
  return new InputError('Only file: URLs can be uploaded. Fetch other URLs first and pass their bytes or stream.');
}

/**
 * Opens a file for reading.
 * @param check runs once the file is open and can no longer be exchanged; it may throw.
 * @throws InputError if the path is not a regular file or can't be read.
 */
export async function openLocalFile(path: string, check?: (handle: FileHandle) => Promise<void>) {
  const statsBefore = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw toReadError(path, error);
  });
  // Checked before opening: opening a pipe would wait for its writer.
  if (!statsBefore.isFile()) throw new InputError(`${path} is ${describeFileType(statsBefore)}, not a file.`);
  // Non-blocking, in case a pipe has replaced it.
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
  if (code === 'ENOENT' || code === 'ENOTDIR') return new InputError(`The file ${path} does not exist.`);
  return new InputError(`The file at ${path} can't be read${code ? ` (${code})` : ''}.`);
}

function describeFileType(stats: Awaited<ReturnType<FileHandle['stat']>>): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
