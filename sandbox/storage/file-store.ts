import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Uploaded bytes on disk, in a folder of the sandbox's own. A stored file never changes. */
export interface FileStore {
  pathOf(key: string): string;
  /** Streams bytes to disk and returns how many came; a broken stream leaves nothing behind. */
  receive(key: string, bytes: Readable): Promise<number>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  read(key: string): Promise<Uint8Array>;
  stream(key: string): Readable;
  sizeOf(key: string): Promise<number>;
  remove(key: string): Promise<void>;
  close(): void;
}

/** Keys are made by the sandbox itself, in this alphabet: none can leave the folder. */
const KEY = /^[0-9a-zA-Z_-]+$/;

export function createFileStore(): FileStore {
  let folder: string | undefined;
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new RangeError(`Not a storage key: ${key}`);
    folder ??= mkdtempSync(join(tmpdir(), 'docshare-sandbox-'));
    return join(folder, key);
  };
  return {
    pathOf,
    async receive(key, bytes) {
      let size = 0;
      const path = pathOf(key);
      bytes.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
      });
      try {
        await pipeline(bytes, createWriteStream(path));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      return size;
    },
    write: (key, bytes) => writeFile(pathOf(key), bytes),
    read: (key) => readFile(pathOf(key)),
    stream: (key) => createReadStream(pathOf(key)),
    sizeOf: async (key) => (await stat(pathOf(key))).size,
    remove: (key) => rm(pathOf(key), { force: true }),
    close() {
      if (folder) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}
