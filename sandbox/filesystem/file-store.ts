import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Rejection } from '../base/rejection.ts';
import { createTempFolder, isOwnedFolder, removeFolder, removeOrphans } from './temp-dir.ts';

/** Uploaded bytes on disk, in a folder of the sandbox's own. A stored file never changes. */
export interface FileStore {
  /** Where a file lies. @throws RangeError where nothing is stored under this key. */
  getPath(key: string): string;
  /** Whether its bytes are there: a temporary folder may be swept. */
  has(key: string): boolean;
  /** Where all of them lie; made where it is not there. */
  folder(): string;
  /** Streams bytes to disk and returns how many came; a broken stream leaves nothing behind. */
  receive(key: string, bytes: Readable): Promise<number>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** @throws Refusal where the bytes are gone */
  read(key: string): Promise<Uint8Array>;
  /** The bytes from `start` to before `end`; all of them unless told. */
  stream(key: string, range?: { start: number; end: number }): Readable;
  /** @throws Refusal where the bytes are gone */
  getSize(key: string): Promise<number>;
  remove(key: string): Promise<void>;
  /** Removes the folder, unless it was given. */
  close(): void;
}

/** A disk that takes nothing is no fault of the caller, and no end of the sandbox; an end of the stream is no call of the system. */
function toDiskError(error: unknown, written: string | undefined): unknown {
  const { code, syscall, path = written } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const to = path === undefined ? '' : ` to ${dirname(path)}`;
  return new Rejection('noRoom', `The sandbox can't write the file${to} on this machine (${code})`);
}

function throwReadError(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new Rejection('unknownId', 'What was stored here is gone') : error;
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
  let folder = input.folder;
  /** Where new files go: one that was swept away meanwhile, as systems do after days, is made anew. */
  const getWritableFolder = () => {
    if (input.folder !== undefined) {
      // Not those above it: where they are gone, nothing is kept any more.
      if (!existsSync(input.folder)) mkdirSync(input.folder, { mode: 0o700 });
      return input.folder;
    }
    if (folder === undefined || !isOwnedFolder(folder)) folder = createTempFolder();
    return folder;
  };
  const getPath = (key: string) => {
    const name = input.names().get(key);
    if (name === undefined || folder === undefined) throw new RangeError('Nothing is stored under this key');
    return join(folder, name);
  };
  /** @throws Refusal where the disk takes nothing; then nothing of it is left */
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
    has: (key) => folder !== undefined && input.names().has(key) && existsSync(getPath(key)),
    folder: getWritableFolder,
    async receive(key, bytes) {
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
    async write(key, bytes) {
      const names = input.names();
      const name = randomUUID();
      await storeFile(name, (path) => writeFile(path, bytes));
      names.set(key, name);
    },
    read: (key) => readFile(getPath(key)).catch(throwReadError),
    stream: (key, range) =>
      createReadStream(getPath(key), range ? { start: range.start, end: range.end - 1 } : {}),
    getSize: async (key) => (await stat(getPath(key)).catch(throwReadError)).size,
    async remove(key) {
      const path = input.names().has(key) ? getPath(key) : null;
      input.names().delete(key);
      if (path) await rm(path, { force: true });
    },
    close() {
      if (folder !== undefined && input.folder === undefined) removeFolder(folder);
    },
  };
}
