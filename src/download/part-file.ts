import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileError, InputError } from '../errors.ts';

/** A file on its way into a folder: nobody sees it under its name before it is whole. */
export interface PartFile {
  write(bytes: Uint8Array, at: number): Promise<void>;
  /** Forgets all bytes from `size` on. */
  cut(size: number): Promise<void>;
  /** Brings the bytes to the disk, and the file to its name. */
  place(target: string, overwrite: boolean): Promise<void>;
  /** Leaves nothing behind, unless it was placed. */
  drop(): Promise<void>;
}

/** Opens a part file, which only this user can read. */
export async function openPart(folder: string): Promise<PartFile> {
  const path = join(folder, `.docshare-${randomUUID()}.part`);
  const handle = await open(path, 'wx+', 0o600).catch(fail(folder));
  return {
    async write(bytes, at) {
      for (let done = 0; done < bytes.byteLength; ) {
        const { bytesWritten } = await handle
          .write(bytes, done, bytes.byteLength - done, at + done)
          .catch(fail(folder));
        done += bytesWritten;
      }
    },
    cut: (size) => handle.truncate(size).catch(fail(folder)),
    async place(target, overwrite) {
      if (overwrite) await keepMode(handle, target);
      // Without it a crash of the machine may leave an empty file under the right name.
      await handle.sync().catch(fail(target));
      await handle.close();
      await (overwrite ? rename(path, target) : putNew(path, target)).catch(fail(target));
      await syncFolder(dirname(target));
    },
    async drop() {
      await handle.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/** A file that is replaced keeps its permissions; those of a new one are its owner's alone. */
async function keepMode(handle: FileHandle, target: string): Promise<void> {
  const before = await lstat(target).catch(() => undefined);
  if (before?.isFile()) await handle.chmod(before.mode & 0o777).catch(() => undefined);
}

/** Unlike a rename, a link never replaces what stands there, however late it came. */
async function putNew(path: string, target: string): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if (codeIn(error) === 'EEXIST') throw error;
    // A file system without links: the name is taken first, which fails where it is not free.
    await (await open(target, 'wx', 0o600)).close();
    await rename(path, target).catch(async (failure: unknown) => {
      await unlink(target);
      throw failure;
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

function fail(place: string) {
  return (error: unknown): never => {
    const code = codeIn(error);
    if (code === 'EEXIST') throw alreadyThere(place);
    if (code === 'EISDIR') throw new InputError(`${place} is a folder now; nothing was saved.`);
    throw new FileError(`The file could not be written to ${place}${code ? ` (${code})` : ''}.`, code);
  };
}

export function alreadyThere(path: string): InputError {
  return new InputError(`${path} exists already; choose another path, or pass overwrite.`);
}

function codeIn(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
