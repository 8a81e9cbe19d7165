import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { moveToReservedName } from '../../src/move-file.ts';
import { getSystemErrorCode } from '../error-code.ts';
import { ToolError } from '../tool-error.ts';
import { MAX_FILE_BYTES } from './file-access.ts';

export interface SaveFileOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: (sizeBytes: number) => void;
  /** Checks the location of the opened file before writing, and again at its final name. */
  readonly verifyOpened?: (handle: FileHandle, path: string) => Promise<unknown>;
}

/**
 * Writes a new file and its missing folders, completely or not at all, never over an existing one, readable by its owner only.
 * @returns its size and SHA-256.
 */
export async function saveFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  options: SaveFileOptions,
): Promise<{ sizeBytes: number; sha256: string }> {
  const tempPath = join(dirname(path), `docshare-${randomUUID()}.part`);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* countBytes() {
    for await (const chunk of bytes) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_FILE_BYTES) throw new ToolError('too_large', 'The file is larger than 1 GiB.');
      hash.update(chunk);
      options.onBytes?.(sizeBytes);
      yield chunk;
    }
  }
  let handle: FileHandle | undefined;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    handle = await open(tempPath, 'wx', 0o600);
    await options.verifyOpened?.(handle, tempPath);
    const body = Readable.from(countBytes());
    if (options.signal) addAbortSignal(options.signal, body);
    for await (const chunk of body) await handle.appendFile(chunk);
    await moveToReservedName(tempPath, path);
    await options.verifyOpened?.(handle, path).catch(async (error: unknown) => {
      await rm(path, { force: true });
      throw error;
    });
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    const code = getSystemErrorCode(error);
    if (code === 'EEXIST') throw new ToolError('file_exists', `${path} already exists. Choose another path.`);
    // Disk errors only; network errors are the client's own.
    if (error instanceof Error && 'syscall' in error)
      throw new ToolError('not_saved', `The file could not be written to ${path} (${code}).`);
    throw error;
  } finally {
    await handle?.close().catch(() => undefined);
    await rm(tempPath, { force: true });
  }
}
