import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { InputError } from '../errors.ts';
import { fileBytes } from './file-bytes.ts';

/**
 * The path that a text or an address names.
 * @throws InputError for an address that is no `file:`.
 */
export function toFilePath(place: string | URL): string {
  if (place === '') throw new InputError('The path of the file is empty.');
  const isAddress = place instanceof URL || /^file:\/\//i.test(place);
  if (!isAddress) {
    if (/^(?:https?|data|blob):/i.test(place)) throw notHere();
    return place;
  }
  try {
    return fileURLToPath(place);
  } catch {
    throw notHere();
  }
}

function notHere(): InputError {
  return new InputError(
    'Only files of this machine can be named by address (file:); fetch others first and pass their bytes or stream.',
  );
}

/**
 * Opens a file for reading at any place of it.
 * @param check may throw, once the file is open and can't be exchanged any more.
 * @throws InputError for what is no regular file, or can't be read.
 */
export async function openPath(path: string, check?: (handle: FileHandle) => Promise<void>) {
  const before = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(path, error);
  });
  // Before it is opened: to open a pipe would wait for its writer.
  if (!before.isFile()) throw new InputError(`${path} is ${describeFileType(before)}, not a file.`);
  // Without a wait, should a pipe have taken its place since.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(path, error);
  });
  const found = await handle.stat();
  if (!found.isFile()) {
    await handle.close();
    throw new InputError(`${path} is ${describeFileType(found)}, not a file.`);
  }
  await check?.(handle).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const isSame = async () => {
    const now = await handle.stat();
    return now.size === found.size && now.mtimeMs === found.mtimeMs;
  };
  return fileBytes({ handle, size: found.size, isSame });
}

function cannotRead(path: string, { code }: NodeJS.ErrnoException): InputError {
  if (code === 'ENOENT' || code === 'ENOTDIR') return new InputError(`There is no file at ${path}.`);
  return new InputError(`The file at ${path} can't be read${code ? ` (${code})` : ''}.`);
}

function describeFileType(found: Awaited<ReturnType<FileHandle['stat']>>): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
