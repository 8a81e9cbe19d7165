import { createHash } from 'node:crypto';
import { type FileHandle, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { UNKNOWN_TYPE, withExtension } from '../../src/media-type.ts';
import { createFileChangedError } from '../../src/upload/file-reader.ts';
import type { BlobLike } from '../../src/upload/file-source.ts';
import { openLocalFile } from '../../src/upload/open-local-file.ts';
import { ToolError } from '../tool-error.ts';
import { checkFileType } from './check-file-type.ts';
import { type FileAccess, MAX_FILE_BYTES } from './file-access.ts';
import { checkUploadedFileName } from './upload-name.ts';

/** File to upload. */
export interface UploadFile {
  readonly source: BlobLike | AsyncIterable<Uint8Array>;
  readonly name: string;
  /** The file's own name, if it is known. */
  readonly fileName?: string | undefined;
  readonly type?: string;
  /** Length of a stream that is sent without a temporary file. */
  readonly sizeBytes?: number;
  /** SHA-256 of what was read, in hex; final once the source was read to its end. */
  sha256(): string;
  /** Returns an error if a local file changed since it was opened. */
  findChange?(): Promise<ToolError | undefined>;
  close(): Promise<void>;
}

/** Larger files need path, url or an upload URL. */
export const MAX_CONTENT_BYTES = 4 * 1024 * 1024;

/**
 * Exactly one of `path`, `url` and `content`; `name` replaces the file's own, which `fileName` tells for a URL. `fileId`: of
 * a file from the chat.
 */
export type UploadArguments = {
  readonly [Name in 'path' | 'url' | 'content' | 'name' | 'fileName' | 'fileId']?: string | undefined;
};

/** Fetched files up to this size are buffered, so that a failed attempt can be repeated and any upload route works. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

interface UploadContext {
  readonly files: FileAccess;
  readonly signal?: AbortSignal | undefined;
  readonly isAllowed?: (address: string) => boolean;
  /** False on a server that stores no files, not even temporary ones. */
  readonly usesDisk?: boolean;
  /** SHA-256 of the only content that a local file may have. */
  readonly sha256?: string | undefined;
}

/** @throws ToolError unless exactly one source is given */
export function requireOneSource({ path, url, content }: UploadArguments): void {
  if ([path, url, content].filter((source) => source !== undefined).length !== 1)
    throw new ToolError(
      'invalid_arguments',
      'Pass exactly one of path (a file in an allowed folder), url (a public URL) or content (base64).',
    );
}

/** @throws ToolError if the file must not be uploaded or can't be read. */
export async function openUploadSource(
  { path, url, content, ...names }: UploadArguments,
  context: UploadContext,
): Promise<UploadFile> {
  requireOneSource({ path, url, content });
  if (path !== undefined) return openFile(path, names.name, context);
  return url === undefined ? openContent(content ?? '', names.name, context) : openUrl(url, names, context);
}

async function openFile(path: string, name: string | undefined, context: UploadContext): Promise<UploadFile> {
  const { files, signal, sha256: required } = context;
  const found = await files.resolveExisting(path);
  const check = (handle: FileHandle) => files.verifyOpenedForUpload(handle, found.path);
  const file = await openLocalFile(found.path, check).catch((error: unknown) => {
    if (error instanceof ToolError) throw error;
    throw new ToolError('no_file', `The file ${path} can't be read. Check its permissions.`);
  });
  const ownName = basename(found.path);
  const fileName = name ?? ownName;
  let digest = '';
  const isOther = () => digest && required && digest !== required;
  /** Retries read from the start; the last reading is what arrived. */
  async function* stream() {
    const hash = createHash('sha256');
    let last: Uint8Array | undefined;
    for await (const chunk of file.stream()) {
      signal?.throwIfAborted();
      hash.update(chunk);
      if (last) yield last;
      last = chunk;
    }
    digest = hash.digest('hex');
    // Before the last bytes are sent, so that other content is never complete.
    if (isOther()) throw createFileChangedError();
    if (last) yield last;
  }
  try {
    for await (const start of file.stream()) {
      checkFileType(fileName, start);
      break;
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    source: { name: withExtension(fileName, '', ownName), size: file.size, stream },
    name: fileName,
    fileName: ownName,
    sha256: () => digest,
    findChange: async () => {
      const now = await stat(found.path).catch(() => undefined);
      if (now?.size === found.sizeBytes && now.mtimeMs === found.modifiedMs && !isOther()) return undefined;
      return new ToolError(
        'file_changed',
        `${path} has changed meanwhile, so it was not uploaded. Wait until it is complete, then try again.`,
      );
    },
    close: file.close,
  };
}

async function openUrl(url: string, names: UploadArguments, context: UploadContext): Promise<UploadFile> {
  // Imported late, because it loads undici.
  const { fetchFile } = await import('./fetch-file.ts');
  const fetched = await fetchFile(url, context);
  const fileName = names.name ?? fetched.name;
  const ownName = names.fileName ?? fetched.name;
  const hash = createHash('sha256');
  async function* bytes() {
    let size = 0;
    for await (const chunk of fetched.bytes) {
      if (size === 0) checkFileType(fileName, chunk);
      size += chunk.byteLength;
      if (size > MAX_FILE_BYTES)
        throw new ToolError('too_large', `The file is larger than the limit of ${MAX_FILE_BYTES} bytes.`);
      hash.update(chunk);
      yield chunk;
    }
  }
  const { sizeBytes } = fetched;
  try {
    // A public URL shows no secrets; a file from the chat may be one.
    if ((names.fileId ?? names.fileName) !== undefined) checkUploadedFileName(ownName);
    return {
      ...(await openFetched(bytes(), { sizeBytes, usesDisk: context.usesDisk ?? true })),
      name: fileName,
      fileName: ownName,
      ...(['', UNKNOWN_TYPE].includes(fetched.type) ? {} : { type: fetched.type }),
      sha256: () => hash.copy().digest('hex'),
      close: fetched.close,
    };
  } catch (error) {
    await fetched.close();
    throw error;
  }
}

/** Buffers a small file; a larger one is streamed if its size is known. */
async function openFetched(
  bytes: AsyncGenerator<Uint8Array>,
  { sizeBytes, usesDisk }: { sizeBytes: number | undefined; usesDisk: boolean },
): Promise<Pick<UploadFile, 'source' | 'sizeBytes'>> {
  if (sizeBytes !== undefined && sizeBytes > MAX_BUFFERED_BYTES) return { source: bytes, sizeBytes };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await bytes.next(); !next.done; next = await bytes.next()) {
    chunks.push(next.value);
    size += next.value.byteLength;
    if (size > MAX_BUFFERED_BYTES) break;
  }
  if (size <= MAX_BUFFERED_BYTES) return { source: new Blob([Buffer.concat(chunks)]) };
  if (!usesDisk)
    throw new ToolError(
      'no_length',
      `The URL does not say how large its file is (no Content-Length), and it is larger than ${MAX_BUFFERED_BYTES} bytes. Nothing was sent. Call again without url to get an upload_url for the file.`,
    );
  async function* all() {
    yield* chunks;
    yield* bytes;
  }
  return { source: all() };
}

function openContent(content: string, name = 'document', { usesDisk = true }: UploadContext): UploadFile {
  const text = content.replace(/^data:[^,]*;base64,/, '').replace(/\s/g, '');
  // Matches single characters: a pattern over megabytes can overflow the engine's stack.
  if (/^(?:$|=)|[^A-Za-z0-9+/_=-]|=(?:[^=]|==)/.test(text))
    throw new ToolError(
      'invalid_arguments',
      `content must be the file in base64. ${usesDisk ? 'Use path for local files.' : 'Call again without it to get an upload_url.'}`,
    );
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength > MAX_CONTENT_BYTES)
    throw new ToolError(
      'too_large',
      `content has ${bytes.byteLength} bytes. Above ${MAX_CONTENT_BYTES} bytes, pass path or url instead.`,
    );
  checkFileType(name, bytes);
  return {
    source: new Blob([bytes]),
    name,
    sha256: () => createHash('sha256').update(bytes).digest('hex'),
    close: async () => undefined,
  };
}
