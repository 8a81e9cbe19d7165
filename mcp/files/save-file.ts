import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ToolError } from '../tool-error.ts';
import { FILE_LIMIT_BYTES } from './file-door.ts';

/**
 * Writes bytes to a new file: complete or not at all, and never over an existing one.
 * @returns its size and SHA-256.
 */
export async function saveFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  options: { signal?: AbortSignal | undefined; onBytes?: (sizeBytes: number) => void },
): Promise<{ sizeBytes: number; sha256: string }> {
  const part = join(dirname(path), `.docshare-${randomUUID()}.part`);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* counted() {
    for await (const chunk of bytes) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > FILE_LIMIT_BYTES) throw new ToolError('too_large', 'The file is larger than 1 GiB.');
      hash.update(chunk);
      options.onBytes?.(sizeBytes);
      yield chunk;
    }
  }
  try {
    await pipeline(
      Readable.from(counted()),
      createWriteStream(part, { flags: 'wx', mode: 0o600 }),
      options.signal ? { signal: options.signal } : {},
    );
    // A rename alone would replace what stands there: the name is taken first, which fails where it is not free.
    await (await open(path, 'wx', 0o600)).close();
    await rename(part, path);
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new ToolError('file_exists', `${path} exists already; choose another path.`);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOSPC')
      throw new ToolError('not_saved', `The file could not be written to ${path} (${String(code)}).`);
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}
