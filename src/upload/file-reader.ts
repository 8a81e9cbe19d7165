import type { FileHandle } from 'node:fs/promises';
import { UploadError } from '../errors.ts';

const CHUNK_BYTES = 256 * 1024;

/** Reads an open file from its start, as often as needed; each read detects changes. */
export function createFileReader(file: { handle: FileHandle; size: number; isUnchanged: () => Promise<boolean> }) {
  const { handle, size, isUnchanged } = file;
  let closed = false;
  return {
    size,
    async *stream(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < size && !closed; ) {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
        const { bytesRead } = await handle.read(chunk, 0, chunk.byteLength, at);
        at += bytesRead;
        // Checked before the last byte is sent, so a mix of two versions is never complete.
        if (bytesRead === 0 || (at >= size && !(await isUnchanged()))) throw createFileChangedError();
        yield chunk.subarray(0, bytesRead);
      }
    },
    close: async () => {
      closed = true;
      await handle.close();
    },
  };
}

export function createFileChangedError(): UploadError {
  return new UploadError('The file changed while it was read, so nothing was registered. Upload it again.');
}
