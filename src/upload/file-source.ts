import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { InputError, UploadError } from '../errors.ts';
import type { FilePart } from '../operations/documents.ts';
import { typeOfName, typeOfStart, UNKNOWN_TYPE } from './media-type.ts';

/** What can be uploaded: a file by path, bytes, a Blob or File, or a stream. */
export type UploadSource = { readonly path: string } | Uint8Array | Blob | AsyncIterable<Uint8Array>;

/** A file of known size that can be read as often as a retry needs, never held in memory. */
export interface FileSource extends FilePart {
  readonly name: string;
  /** Gives back what is open on disk, temporary files included. */
  close(): Promise<void>;
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a source. A stream is spooled to a temporary file first: its length must be known before the first byte is sent.
 * @throws InputError for a path that is no readable file, or for a file without bytes.
 */
export async function openSource(
  source: UploadSource,
  options: { name?: string; type?: string; signal?: AbortSignal },
): Promise<FileSource> {
  // At once: a stream that fails before it is read would end the process.
  if (source instanceof Readable) source.on('error', () => undefined);
  options.signal?.throwIfAborted();
  if (source instanceof Uint8Array) return describe(bytesOf(source), options);
  if (source instanceof Blob) return describe(source, options);
  if (!isObjectLike(source)) throw new InputError('The file must be { path }, bytes, a Blob or a stream.');
  // Before `path`: a stream that reads a file has a path too, and may start in its middle.
  if (Symbol.asyncIterator in source) return describe(await spool(source, options.signal), options);
  if (typeof source.path !== 'string' || source.path === '')
    throw new InputError('The file must be { path }, bytes, a Blob or a stream.');
  return describe({ ...(await openPath(source.path)), name: basename(source.path) }, options);
}

type Bytes = Pick<FilePart, 'size' | 'stream'> & Partial<Pick<FileSource, 'name' | 'type' | 'close'>>;

async function describe(bytes: Bytes, options: { name?: string; type?: string }): Promise<FileSource> {
  const close = bytes.close ?? (async () => undefined);
  if (bytes.size === 0) {
    await close();
    throw new InputError('The file is empty.');
  }
  const name = options.name || bytes.name || 'document';
  // A document's name often has no ending: then the file's own name tells, or how it begins.
  const type =
    options.type ||
    bytes.type ||
    typeOfName(name) ||
    typeOfName(bytes.name ?? '') ||
    (await typeOfContent(bytes));
  return { size: bytes.size, name, type, stream: () => exactly(bytes), close };
}

async function typeOfContent(bytes: Bytes): Promise<string> {
  for await (const chunk of bytes.stream()) return typeOfStart(chunk);
  return UNKNOWN_TYPE;
}

/** A body that ends early or late would belie the length that was sent before it. */
async function* exactly(bytes: Bytes): AsyncGenerator<Uint8Array> {
  let rest = bytes.size;
  try {
    for await (const chunk of bytes.stream()) {
      rest -= chunk.byteLength;
      if (rest < 0) break;
      yield chunk;
    }
  } catch (error) {
    // A Blob of a file that has changed since: its own words are "The blob could not be read".
    if (error instanceof DOMException && error.name === 'NotReadableError') throw changed();
    throw error;
  }
  if (rest !== 0) throw changed();
}

function changed(): UploadError {
  return new UploadError('The file changed while it was read; nothing was registered. Upload it again.');
}

function bytesOf(bytes: Uint8Array): Bytes {
  return {
    size: bytes.byteLength,
    async *stream() {
      for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
    },
  };
}

async function openPath(path: string): Promise<Bytes> {
  const before = await stat(path).catch(() => undefined);
  if (!before) throw new InputError(`There is no file at ${path}.`);
  // Before it is opened: to open a pipe would wait for its writer.
  if (!before.isFile()) throw new InputError(`${path} is not a file.`);
  const handle = await open(path).catch(() => {
    throw new InputError(`The file at ${path} can't be read.`);
  });
  const found = await handle.stat();
  const isSame = async () => {
    const now = await handle.stat();
    return now.size === found.size && now.mtimeMs === found.mtimeMs;
  };
  return fileBytes({ handle, size: found.size, isSame });
}

function fileBytes(file: { handle: FileHandle; size: number; isSame: () => Promise<boolean> }): Bytes {
  const { handle, size, isSame } = file;
  let closed = false;
  return {
    size,
    async *stream() {
      for (let at = 0; at < size && !closed; ) {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
        const { bytesRead } = await handle.read(chunk, 0, chunk.byteLength, at);
        at += bytesRead;
        // Asked before the last byte leaves, so that a mix of two versions is never a whole body.
        if (bytesRead === 0 || (at >= size && !(await isSame()))) throw changed();
        yield chunk.subarray(0, bytesRead);
      }
    },
    close: async () => {
      closed = true;
      await handle.close();
    },
  };
}

/** Where the system allows it the temporary file loses its name at once, so that not even a crash leaves it behind. */
async function spool(source: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Bytes> {
  const folder = await mkdtemp(join(tmpdir(), 'docshare-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  let handle: FileHandle | undefined;
  try {
    handle = await open(join(folder, 'upload'), 'wx+', 0o600);
    if (process.platform !== 'win32') await remove();
    const size = await write(handle, source, signal);
    const bytes = fileBytes({ handle, size, isSame: async () => true });
    return { ...bytes, close: () => (bytes.close?.() ?? Promise.resolve()).finally(remove) };
  } catch (error) {
    await handle?.close();
    await remove();
    throw error;
  }
}

async function write(
  handle: FileHandle,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const iterator = source[Symbol.asyncIterator]();
  let interrupt = (_reason: unknown) => {};
  const onAbort = () => interrupt(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let size = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      // A source that never answers must not hold an aborted upload. (Promise.race would keep every chunk.)
      const { done, value } = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        interrupt = reject;
        iterator.next().then(resolve, reject);
      });
      if (done) return size;
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      if (!(bytes instanceof Uint8Array)) throw new InputError('The stream must give bytes.');
      for (let at = 0; at < bytes.byteLength; )
        at += (await handle.write(bytes, at, bytes.byteLength - at, size + at)).bytesWritten;
      size += bytes.byteLength;
    }
  } catch (error) {
    // Not awaited: a generator that hangs in its own await would never come back.
    if (source instanceof Readable) source.destroy();
    else void Promise.resolve(iterator.return?.()).catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function isObjectLike(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
