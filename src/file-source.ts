import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from './errors.ts';

/** What can be uploaded: a file by path, bytes, a Blob or File, or a stream. */
export type UploadSource = { readonly path: string } | Uint8Array | Blob | AsyncIterable<Uint8Array>;

/** A file that can be read as often as a retry needs; `remove()` deletes what was spooled. */
export interface FileSource {
  readonly blob: Blob;
  readonly name: string;
  readonly type: string;
  remove(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.key': 'application/vnd.apple.keynote',
  '.csv': 'text/csv',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.zip': 'application/zip',
};

/** The media type that a file's name suggests. */
export function typeOfName(name: string): string {
  return TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
}

/**
 * Opens a source without holding it in memory; a stream is spooled to a temporary file, for its length and for retries.
 * @throws InputError for a path that is no readable, non-empty file.
 */
export async function openSource(
  source: UploadSource,
  options: { name?: string; type?: string; signal?: AbortSignal },
): Promise<FileSource> {
  if (source instanceof Uint8Array) return describe(new Blob([copyOf(source)]), options);
  if (source instanceof Blob) return describe(source, options);
  if ('path' in source)
    return describe(await openPath(source.path), { name: basename(source.path), ...options });
  const folder = await mkdtemp(join(tmpdir(), 'docshare-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'upload');
    await pipeline(
      Readable.from(source),
      createWriteStream(path, { mode: 0o600 }),
      options.signal ? { signal: options.signal } : {},
    );
    return { ...describe(await openAsBlob(path), options), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Blob refuses views of shared memory; a plain view is taken as it is. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

async function openPath(path: string): Promise<Blob> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new InputError(`There is no file at ${path}.`);
  if (!found.isFile()) throw new InputError(`${path} is not a file.`);
  return openAsBlob(path).catch(() => {
    throw new InputError(`The file at ${path} can't be read.`);
  });
}

function describe(blob: Blob, options: { name?: string; type?: string }): FileSource {
  if (blob.size === 0) throw new InputError('The file is empty.');
  const name = options.name || (blob instanceof File ? blob.name : '') || 'document';
  const type = options.type || blob.type || typeOfName(name);
  return { blob, name, type, remove: async () => undefined };
}
