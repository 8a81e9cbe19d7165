import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileError, InputError } from '../errors.ts';
import { moveFile, replaceFile } from '../move-file.ts';
import { getErrorCode } from '../retry/retry.ts';

export type PartFile = Awaited<ReturnType<typeof openPartFile>>;

/** Opens a file that only this user can read and that appears under its name only when it is complete. */
export async function openPartFile(folder: string) {
  const path = join(folder, `.docshare-${randomUUID()}.part`);
  const handle = await open(path, 'wx+', 0o600).catch(createErrorHandler(folder));
  return {
    async write(bytes: Uint8Array, at: number): Promise<void> {
      for (let writtenBytes = 0; writtenBytes < bytes.byteLength; ) {
        const { bytesWritten } = await handle
          .write(bytes, writtenBytes, bytes.byteLength - writtenBytes, at + writtenBytes)
          .catch(createErrorHandler(folder));
        writtenBytes += bytesWritten;
      }
    },
    /** Drops all bytes from `size` on. */
    truncate: (size: number) => handle.truncate(size).catch(createErrorHandler(folder)),
    /** Syncs the file to disk and moves it to its name. */
    async commit(target: string, overwrite: boolean): Promise<void> {
      if (overwrite) await copyFileMode(handle, target);
      // Without sync, a system crash may leave an empty file under the target name.
      await handle.sync().catch(createErrorHandler(target));
      await handle.close();
      await (overwrite ? replaceFile(path, target) : moveFile(path, target)).catch(createErrorHandler(target));
      await syncFolder(dirname(target));
    },
    /** Deletes the file unless it was committed. */
    async discard(): Promise<void> {
      await handle.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/** A replaced file keeps its permissions; a new one is private to its owner. */
async function copyFileMode(handle: FileHandle, target: string): Promise<void> {
  const existing = await lstat(target).catch(() => undefined);
  if (existing?.isFile()) await handle.chmod(existing.mode & 0o777).catch(() => undefined);
}

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Not every system supports this; the file exists either way.
  }
}

function createErrorHandler(path: string) {
  return (error: unknown): never => {
    const code = getErrorCode(error);
    if (code === 'EEXIST') throw createFileExistsError(path);
    if (code === 'EISDIR') throw new InputError(`${path} is now a folder. Nothing was saved.`);
    throw new FileError(`The file could not be written to ${path}${code ? ` (${code})` : ''}.`, code);
  };
}

export function createFileExistsError(path: string): InputError {
  return new InputError(`${path} already exists. Choose another path, or pass overwrite.`);
}
