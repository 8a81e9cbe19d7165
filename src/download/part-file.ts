import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileError, InputError } from '../errors.ts';

/** A file on its way into a folder: nobody sees it under its name before it is whole. */
export interface PartFile {
  write(bytes: Uint8Array, at: number): Promise<void>;
  /** Forgets all bytes from `size` on. */
  truncate(size: number): Promise<void>;
  /** Brings the bytes to the disk, and the file to its name. */
  commit(target: string, overwrite: boolean): Promise<void>;
  /** Leaves nothing behind, unless it was placed. */
  discard(): Promise<void>;
}

/** Opens a part file, which only this user can read. */
export async function openPartFile(folder: string): Promise<PartFile> {
  const path = join(folder, `.docshare-${randomUUID()}.part`);
  const handle = await open(path, 'wx+', 0o600).catch(createErrorHandler(folder));
  return {
    async write(bytes, at) {
      for (let writtenBytes = 0; writtenBytes < bytes.byteLength; ) {
        const { bytesWritten } = await handle
          .write(bytes, writtenBytes, bytes.byteLength - writtenBytes, at + writtenBytes)
          .catch(createErrorHandler(folder));
        writtenBytes += bytesWritten;
      }
    },
    truncate: (size) => handle.truncate(size).catch(createErrorHandler(folder)),
    async commit(target, overwrite) {
      if (overwrite) await copyFileMode(handle, target);
      // Without it a crash of the machine may leave an empty file under the right name.
      await handle.sync().catch(createErrorHandler(target));
      await handle.close();
      await (overwrite ? rename(path, target) : moveWithoutReplacing(path, target)).catch(
        createErrorHandler(target),
      );
      await syncFolder(dirname(target));
    },
    async discard() {
      await handle.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/** A file that is replaced keeps its permissions; those of a new one are its owner's alone. */
async function copyFileMode(handle: FileHandle, target: string): Promise<void> {
  const existing = await lstat(target).catch(() => undefined);
  if (existing?.isFile()) await handle.chmod(existing.mode & 0o777).catch(() => undefined);
}

/** Unlike a rename, a link never replaces what stands there, however late it came. */
async function moveWithoutReplacing(path: string, target: string): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if (getSystemErrorCode(error) === 'EEXIST') throw error;
    // A file system without links: the name is taken first, which fails where it is not free.
    await (await open(target, 'wx', 0o600)).close();
    await rename(path, target).catch(async (renameError: unknown) => {
      await unlink(target);
      throw renameError;
    });
    return;
  }
  await unlink(path);
}

/** Not every system can, and the file stands there either way. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function createErrorHandler(path: string) {
  return (error: unknown): never => {
    const code = getSystemErrorCode(error);
    if (code === 'EEXIST') throw createFileExistsError(path);
    if (code === 'EISDIR') throw new InputError(`${path} is a folder now; nothing was saved.`);
    throw new FileError(`The file could not be written to ${path}${code ? ` (${code})` : ''}.`, code);
  };
}

export function createFileExistsError(path: string): InputError {
  return new InputError(`${path} exists already; choose another path, or pass overwrite.`);
}

function getSystemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
