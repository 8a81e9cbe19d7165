import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Rejection } from '../base/rejection.ts';
import { createTempFolder, isOwnedFolder, removeFolder } from './temp-folder.ts';

/** Uploaded files on disk. A stored file never changes. */
export type FileStore = ReturnType<typeof createFileStore>;

/** A full disk is not the caller's fault and must not stop the sandbox. Only system errors have an errno. */
function toDiskError(error: unknown, written: string | undefined): unknown {
  const { code, syscall, path = written } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const to = path === undefined ? '' : ` to ${dirname(path)}`;
  return new Rejection('noRoom', `The sandbox can't write the file${to} (${code})`);
}

function throwReadError(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new Rejection('unknownId', 'The stored file is missing') : error;
}

/**
 * Stores files in `folder`, or in a temporary one. `names` maps keys to file names and belongs to the state:
 * a key generated again after a reset never finds the bytes of an older snapshot.
 */
export function createFileStore(input: { names: () => Map<string, string>; folder?: string | undefined }) {
  let folder = input.folder;
  /** Creates the folder again if the system removed it. */
  const getWritableFolder = () => {
    if (input.folder !== undefined) {
      // Not recursive: if the parent folders are gone, saving has ended.
      if (!existsSync(input.folder)) mkdirSync(input.folder, { mode: 0o700 });
      return input.folder;
    }
    if (folder === undefined || !isOwnedFolder(folder)) folder = createTempFolder();
    return folder;
  };
  /** @throws RangeError if nothing is stored under the key */
  const getPath = (key: string) => {
    const name = input.names().get(key);
    if (name === undefined || folder === undefined) throw new RangeError('No file is stored under this key');
    return join(folder, name);
  };
  /** @throws Rejection if the disk refuses the file; nothing remains of it */
  async function storeFile(name: string, write: (path: string) => Promise<void>): Promise<void> {
    let path: string | undefined;
    try {
      path = join(getWritableFolder(), name);
      await write(path);
    } catch (error) {
      if (path !== undefined) await rm(path, { force: true }).catch(() => undefined);
      throw toDiskError(error, path);
    }
  }
  return {
    getPath,
    /** Returns false if the file was removed, as systems do with temporary files. */
    has: (key: string) => folder !== undefined && input.names().has(key) && existsSync(getPath(key)),
    /** Writes a stream to disk and returns its size. A failed stream leaves nothing behind. */
    async receive(key: string, bytes: Readable): Promise<number> {
      const names = input.names();
      const name = randomUUID();
      let size = 0;
      bytes.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
      });
      await storeFile(name, (path) => pipeline(bytes, createWriteStream(path)));
      names.set(key, name);
      return size;
    },
    async write(key: string, bytes: Uint8Array): Promise<void> {
      const names = input.names();
      const name = randomUUID();
      await storeFile(name, (path) => writeFile(path, bytes));
      names.set(key, name);
    },
    /** @throws Rejection if the file is gone */
    read: (key: string) => readFile(getPath(key)).catch(throwReadError),
    /** Streams bytes from `start` up to, but not including, `end`; by default all. */
    stream(key: string, range?: { start: number; end: number }) {
      const stream = createReadStream(getPath(key), range ? { start: range.start, end: range.end - 1 } : {});
      // Without a listener, a file that is gone would end the process if nobody reads any more.
      return stream.on('error', () => undefined);
    },
    /** @throws Rejection if the file is gone */
    getSize: async (key: string) => (await stat(getPath(key)).catch(throwReadError)).size,
    async remove(key: string): Promise<void> {
      const path = input.names().has(key) ? getPath(key) : null;
      input.names().delete(key);
      if (path) await rm(path, { force: true });
    },
    /** Removes the folder if it is temporary. */
    close(): void {
      if (folder !== undefined && input.folder === undefined) removeFolder(folder);
    },
  };
}
