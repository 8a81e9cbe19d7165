import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../make-folder.ts';
import { Refusal } from '../refusal.ts';
import { makePassing, removeFolder, removeOrphans } from './passing-folder.ts';

/** Uploaded bytes on disk, in a folder of the sandbox's own. A stored file never changes. */
export interface FileStore {
  /** Where a file lies. @throws RangeError where nothing is stored under this key. */
  pathOf(key: string): string;
  has(key: string): boolean;
  /** Where all of them lie. */
  folder(): string;
  /** Streams bytes to disk and returns how many came; a broken stream leaves nothing behind. */
  receive(key: string, bytes: Readable): Promise<number>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  read(key: string): Promise<Uint8Array>;
  /** The bytes from `start` to before `end`; all of them unless told. */
  stream(key: string, part?: { start: number; end: number }): Readable;
  sizeOf(key: string): Promise<number>;
  remove(key: string): Promise<void>;
  /** Removes the folder, unless it was given. */
  close(): void;
}

/** A disk that takes nothing is no fault of the caller, and no end of the sandbox. */
function ofDisk(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  return /^E(NOSPC|DQUOT|ROFS|IO|ACCES|PERM|NOTDIR|NOENT|FBIG|[MN]FILE)$/.test(code)
    ? new Refusal('noRoom', `The sandbox can't write the file on this machine (${code})`)
    : error;
}

/**
 * Keeps files in `folder`, or in a temporary one. `names` holds their names on disk by their keys; it belongs to the
 * state, so that a key which is drawn again after a reset never meets the bytes of an older snapshot.
 */
export function createFileStore(input: {
  names: () => Map<string, string>;
  folder?: string | undefined;
}): FileStore {
  removeOrphans();
  let folder: string | undefined;
  const inFolder = (name: string) => {
    if (folder === undefined && input.folder !== undefined) makeFolder(input.folder);
    folder ??= input.folder ?? makePassing();
    return join(folder, name);
  };
  /** Of a new file. Whoever clears a temporary folder may have taken this one. */
  const newPath = (name: string) => {
    if (folder !== undefined && !existsSync(folder)) folder = undefined;
    try {
      return inFolder(name);
    } catch (error) {
      throw ofDisk(error);
    }
  };
  const pathOf = (key: string) => {
    const name = input.names().get(key);
    if (name === undefined) throw new RangeError('Nothing is stored under this key');
    return inFolder(name);
  };
  return {
    pathOf,
    has: (key) => input.names().has(key),
    folder: () => dirname(inFolder('any')),
    async receive(key, bytes) {
      const names = input.names();
      const name = randomUUID();
      let size = 0;
      const path = newPath(name);
      bytes.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
      });
      try {
        await pipeline(bytes, createWriteStream(path));
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined);
        throw ofDisk(error);
      }
      names.set(key, name);
      return size;
    },
    async write(key, bytes) {
      const names = input.names();
      const name = randomUUID();
      const path = newPath(name);
      await writeFile(path, bytes).catch(async (error: unknown) => {
        await rm(path, { force: true }).catch(() => undefined);
        throw ofDisk(error);
      });
      names.set(key, name);
    },
    read: (key) => readFile(pathOf(key)),
    stream: (key, part) =>
      createReadStream(pathOf(key), part ? { start: part.start, end: part.end - 1 } : {}),
    sizeOf: async (key) => (await stat(pathOf(key))).size,
    async remove(key) {
      const path = input.names().has(key) ? pathOf(key) : null;
      input.names().delete(key);
      if (path) await rm(path, { force: true });
    },
    close() {
      if (folder !== undefined && input.folder === undefined) removeFolder(folder);
      folder = undefined;
    },
  };
}
