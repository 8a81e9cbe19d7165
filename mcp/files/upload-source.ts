import { createHash } from 'node:crypto';
import { type FileHandle, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { BlobLike } from '../../src/upload/file-source.ts';
import { openLocalFile } from '../../src/upload/open-local-file.ts';
import { ToolError } from '../tool-error.ts';
import { checkFileType } from './check-file-type.ts';
import { type FileAccess, MAX_FILE_BYTES } from './file-access.ts';

/** A file to upload, from wherever it came. */
export interface UploadFile {
  readonly source: BlobLike | AsyncIterable<Uint8Array>;
  readonly name: string;
  readonly type?: string;
  /** Hex digest of what was read; final once the source has been read to its end. */
  sha256(): string;
  /** A sentence where the file is no longer what it was when it was opened. */
  getChangeMessage(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** More comes by a path, an address or a hand-over. */
export const MAX_CONTENT_BYTES = 4 * 1024 * 1024;

/** Opens exactly one of `path`, `url` and `content`. */
export async function openUploadSource(
  args: {
    path?: string | undefined;
    url?: string | undefined;
    content?: string | undefined;
    name?: string | undefined;
  },
  context: { files: FileAccess; signal?: AbortSignal | undefined; isAllowed?: (address: string) => boolean },
): Promise<UploadFile> {
  const sources = [args.path, args.url, args.content].filter((one) => one !== undefined);
  if (sources.length !== 1)
    throw new ToolError(
      'invalid_arguments',
      'Give exactly one of path (a file in an allowed folder), url (a public address) or content (base64).',
    );
  if (args.path !== undefined) return openFile(args.path, args.name, context);
  if (args.url !== undefined) return openUrl(args.url, args.name, context);
  return openContent(args.content ?? '', args.name);
}

async function openFile(
  path: string,
  name: string | undefined,
  { files, signal }: { files: FileAccess; signal?: AbortSignal | undefined },
): Promise<UploadFile> {
  const found = await files.resolveExisting(path);
  const check = (handle: FileHandle) => files.verifyOpened(handle, found.path);
  const file = await openLocalFile(found.path, check).catch((error: unknown) => {
    if (error instanceof ToolError) throw error;
    throw new ToolError('no_file', `The file at ${path} can't be read.`);
  });
  const fileName = name ?? basename(found.path);
  let digest = '';
  /** Read from its start again where an attempt is repeated: the last reading is what arrived. */
  async function* stream() {
    const hash = createHash('sha256');
    for await (const chunk of file.stream()) {
      signal?.throwIfAborted();
      hash.update(chunk);
      yield chunk;
    }
    digest = hash.digest('hex');
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
    source: { size: file.size, stream },
    name: fileName,
    sha256: () => digest,
    getChangeMessage: async () => {
      const now = await stat(found.path).catch(() => undefined);
      return now?.size === found.sizeBytes && now.mtimeMs === found.modifiedMs
        ? undefined
        : createFileChangedError(path).message;
    },
    close: file.close,
  };
}

function createFileChangedError(path: string): ToolError {
  return new ToolError(
    'file_changed',
    `${path} changed while it was read, and was not uploaded. Wait until it is complete.`,
  );
}

async function openUrl(
  url: string,
  name: string | undefined,
  context: { signal?: AbortSignal | undefined; isAllowed?: (address: string) => boolean },
): Promise<UploadFile> {
  // Imported late: it brings undici along.
  const { fetchFile } = await import('./fetch-file.ts');
  const fetched = await fetchFile(url, context);
  const fileName = name ?? fetched.name;
  const hash = createHash('sha256');
  async function* bytes() {
    let size = 0;
    for await (const chunk of fetched.bytes) {
      if (size === 0) checkFileType(fileName, chunk);
      size += chunk.byteLength;
      if (size > MAX_FILE_BYTES)
        throw new ToolError(
          'too_large',
          `The file has more than ${MAX_FILE_BYTES} bytes, which is the limit.`,
        );
      hash.update(chunk);
      yield chunk;
    }
  }
  return {
    source: bytes(),
    name: fileName,
    ...(fetched.type === '' || fetched.type === 'application/octet-stream' ? {} : { type: fetched.type }),
    sha256: () => hash.copy().digest('hex'),
    getChangeMessage: async () => undefined,
    close: fetched.close,
  };
}

function openContent(content: string, name = 'document'): UploadFile {
  const text = content.replace(/^data:[^,]*;base64,/, '').replace(/\s/g, '');
  // Sign by sign: a pattern that takes megabytes at once can fill the engine's stack.
  if (/^(?:$|=)|[^A-Za-z0-9+/_=-]|=(?:[^=]|==)/.test(text))
    throw new ToolError('invalid_arguments', 'content must be the base64 of the file; use path for files.');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength > MAX_CONTENT_BYTES)
    throw new ToolError(
      'too_large',
      `content has ${bytes.byteLength} bytes; from ${MAX_CONTENT_BYTES} on pass path or url instead.`,
    );
  checkFileType(name, bytes);
  return {
    source: new Blob([bytes]),
    name,
    sha256: () => createHash('sha256').update(bytes).digest('hex'),
    getChangeMessage: async () => undefined,
    close: async () => undefined,
  };
}
