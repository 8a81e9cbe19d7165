import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileError, UploadError } from '../errors.ts';
import { getErrorCode } from '../retry/retry.ts';
import { anySignal } from '../timer.ts';
import { createFileReader } from './file-reader.ts';
import { abandonStream, readStream, type StreamReadOptions, type StreamSource } from './read-stream.ts';

/**
 * Writes a stream to a temporary file, so its length is known and it can be read again. Where possible the
 * file is unlinked at once, so not even a crash leaves it behind.
 * @throws FileError if the disk fails.
 */
export async function spoolToDisk(source: StreamSource, readOptions: StreamReadOptions) {
  const { handle, remove } = await openTemporary().catch((error: unknown) => {
    abandonStream(source);
    return throwDiskError(error);
  });
  try {
    if (process.platform !== 'win32') await remove();
    const size = await writeAll(handle, readStream(source, readOptions));
    const bytes = createFileReader({ handle, size, isUnchanged: async () => true });
    return { ...bytes, close: () => bytes.close().finally(remove) };
  } catch (error) {
    await handle.close();
    await remove();
    throw error;
  }
}

async function openTemporary() {
  const folder = await mkdtemp(join(tmpdir(), 'docshare-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const handle = await open(join(folder, 'upload'), 'wx+', 0o600).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return { handle, remove };
}

async function writeAll(handle: FileHandle, source: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const bytes of source) {
    for (let at = 0; at < bytes.byteLength; )
      at += (await handle.write(bytes, at, bytes.byteLength - at, size + at).catch(throwDiskError)).bytesWritten;
    size += bytes.byteLength;
  }
  return size;
}

function throwDiskError(error: unknown): never {
  const code = getErrorCode(error);
  throw new FileError(
    `The stream could not be written to a temporary file in ${tmpdir()}${code ? ` (${code})` : ''}, so nothing was sent. Free disk space, or set TMPDIR to a writable folder.`,
    code,
  );
}

/** Opens a stream of known length without storing it, so it can be read once. */
export function openSingleUse(source: StreamSource, { sizeBytes, signal, idleTimeoutMs }: SingleUseOptions) {
  let wasRead = false;
  const closed = new AbortController();
  return {
    size: sizeBytes,
    isSingleUse: true,
    stream: () => {
      if (wasRead)
        throw new UploadError(
          'The stream can be read only once, so the upload was not retried. Nothing was registered; upload it again.',
        );
      wasRead = true;
      return readStream(source, { signal: anySignal(closed.signal, signal), idleTimeoutMs });
    },
    close: async () => {
      if (!wasRead) abandonStream(source);
      // Its reader may still wait for a silent source.
      closed.abort();
    },
  };
}

interface SingleUseOptions extends StreamReadOptions {
  readonly sizeBytes: number;
}
