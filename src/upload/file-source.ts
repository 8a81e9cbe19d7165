import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { InputError, UploadError } from '../errors.ts';
import {
  detectMediaType,
  getMediaTypeByName,
  hasPdfSignature,
  PDF_SIGNATURE_SEARCH_BYTES,
  UNKNOWN_TYPE,
  withExtension,
} from '../media-type.ts';
import type { FilePart } from '../operations/documents.ts';
import { anySignal } from '../timer.ts';
import { createFileChangedError } from './file-reader.ts';
import { openLocalFile, toFilePath } from './open-local-file.ts';
import { isStream, type StreamSource } from './read-stream.ts';
import { openSingleUse, spoolToDisk } from './spool.ts';

/** A path or `file:` URL, bytes, a Blob or File, or a byte stream (Node.js, web, any async iterable). */
export type UploadSource =
  | string
  | URL
  | { readonly path: string | URL }
  | ArrayBufferLike
  | ArrayBufferView
  | BlobLike
  | StreamSource;

/** A Blob, File or similar object that can stream its bytes repeatedly. */
export interface BlobLike {
  readonly size: number;
  readonly type?: string;
  readonly name?: string;
  stream(): AsyncIterable<Uint8Array>;
}

/** A file of known size that can be read repeatedly, without holding it in memory. */
export interface FileSource extends FilePart {
  /** Title of the document. */
  readonly name: string;
  /** The file's own name, or the title, with the ending of its type: visitors download it under this name. */
  readonly fileName: string;
  /** True if it can be read only once, so failures can't be retried. */
  readonly isSingleUse: boolean;
  /** Closes open files and deletes temporary ones. */
  close(): Promise<void>;
}

interface SourceOptions {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  /** Length of a stream, which then is not written to disk first. */
  readonly sizeBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends reading a stream before anything is sent. */
  readonly closing?: AbortSignal | undefined;
  /** Maximum silence of a stream. Default: unlimited. */
  readonly timeoutMs?: number | undefined;
}

type OpenedSource = Pick<FilePart, 'size' | 'stream'> &
  Partial<Pick<FileSource, 'name' | 'type' | 'isSingleUse' | 'close'>>;

const CHUNK_BYTES = 256 * 1024;
const SOURCE_EXPECTED = 'The file must be a path, a file: address, bytes, a Blob or a stream of bytes';

/**
 * Opens a source. A stream of unknown length is written to a temporary file first, because the length is sent
 * before the first byte.
 * @throws InputError for an unreadable or empty file; FileError if the temporary file can't be written.
 */
export async function openSource(source: UploadSource, options: SourceOptions): Promise<FileSource> {
  // Immediately: a stream that fails before it is read would end the process.
  if (source instanceof Readable) source.on('error', () => undefined);
  const { signal, sizeBytes } = options;
  signal?.throwIfAborted();
  if (sizeBytes !== undefined && !(Number.isSafeInteger(sizeBytes) && sizeBytes >= 0))
    throw new InputError('sizeBytes must be a whole number of bytes.');
  const bytes = await openAny(source, options);
  try {
    if (bytes.size === 0)
      throw new InputError('The file is empty, so nothing was sent. Save it again, or choose another.');
    if (sizeBytes !== undefined && bytes.size !== sizeBytes)
      throw new InputError(`The file has ${bytes.size} bytes, but sizeBytes is ${sizeBytes}.`);
    return await toFileSource(bytes, options);
  } catch (error) {
    await bytes.close?.();
    throw error;
  }
}

async function openAny(source: UploadSource, options: SourceOptions): Promise<OpenedSource> {
  const { signal, closing, sizeBytes, timeoutMs: idleTimeoutMs } = options;
  if (typeof source === 'string' || source instanceof URL) return openByPath(source);
  if (typeof source !== 'object' || source === null) throw new InputError(`${SOURCE_EXPECTED}, not ${typeof source}.`);
  if (ArrayBuffer.isView(source)) return toSource(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
  if (source instanceof ArrayBuffer || source instanceof SharedArrayBuffer) return toSource(new Uint8Array(source));
  if (isBlob(source)) return source;
  // Before `path`: a file stream has a path too, and may start in the middle.
  if (isStream(source))
    return sizeBytes === undefined
      ? spoolToDisk(source, { signal: anySignal(signal, closing), idleTimeoutMs })
      : openSingleUse(source, { sizeBytes, signal, idleTimeoutMs });
  if ('path' in source && (typeof source.path === 'string' || source.path instanceof URL))
    return openByPath(source.path);
  throw new InputError(`${SOURCE_EXPECTED}.`);
}

async function openByPath(pathOrUrl: string | URL): Promise<OpenedSource> {
  const path = toFilePath(pathOrUrl);
  return { ...(await openLocalFile(path)), name: basename(path) };
}

/** Foreign Blobs too: anything with a size and a stream method. */
function isBlob(source: object): source is BlobLike {
  return (
    source instanceof Blob ||
    ('size' in source && typeof source.size === 'number' && 'stream' in source && typeof source.stream === 'function')
  );
}

async function toFileSource(bytes: OpenedSource, options: SourceOptions): Promise<FileSource> {
  const name = options.name || bytes.name || 'document';
  const pdfName = [name, bytes.name].find((one) => /\.pdf$/i.test(one ?? ''));
  if (pdfName !== undefined && !bytes.isSingleUse && !hasPdfSignature(await readFirstBytes(bytes)))
    throw new InputError(
      `${pdfName} is not a PDF: its first 1,024 bytes do not contain "%PDF-". Nothing was sent. Check the file or its name.`,
    );
  // A document's name often lacks an extension: then the file's own name or first bytes decide.
  const type =
    options.type ||
    bytes.type ||
    getMediaTypeByName(name) ||
    getMediaTypeByName(bytes.name ?? '') ||
    (bytes.isSingleUse ? UNKNOWN_TYPE : detectMediaType(await readFirstBytes(bytes)));
  const close = async () => bytes.close?.();
  return {
    size: bytes.size,
    name,
    fileName: withExtension(bytes.name || name, type),
    type,
    isSingleUse: bytes.isSingleUse ?? false,
    stream: () => checkLength(bytes),
    close,
  };
}

async function readFirstBytes(bytes: OpenedSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes.stream()) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= PDF_SIGNATURE_SEARCH_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** The length is sent before the body, so they must match. */
async function* checkLength(bytes: OpenedSource): AsyncGenerator<Uint8Array> {
  let remainingBytes = bytes.size;
  try {
    for await (const chunk of bytes.stream()) {
      remainingBytes -= chunk.byteLength;
      if (remainingBytes < 0) break;
      yield chunk;
    }
  } catch (error) {
    // A Blob of a changed file; its own message is "The blob could not be read".
    if (error instanceof DOMException && error.name === 'NotReadableError') throw createFileChangedError();
    throw error;
  }
  if (remainingBytes === 0) return;
  if (!bytes.isSingleUse) throw createFileChangedError();
  const actualSize = remainingBytes < 0 ? 'more' : String(bytes.size - remainingBytes);
  throw new UploadError(`The stream has ${actualSize} bytes, but sizeBytes is ${bytes.size}; nothing was registered.`);
}

function toSource(bytes: Uint8Array): OpenedSource {
  return {
    size: bytes.byteLength,
    async *stream() {
      for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
    },
  };
}
