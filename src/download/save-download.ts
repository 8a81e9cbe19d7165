import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../errors.ts';
import { detectMediaType, getExtension, getMediaTypeByName, UNKNOWN_TYPE } from '../media-type.ts';
import { checkOptionNames, type OptionNames } from '../option-names.ts';
import { validateRequestOptions } from '../request/validate-request-options.ts';
import { anySignal } from '../timer.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { checkFileKind } from './check-file-kind.ts';
import { type DownloadSource, fetchSource } from './download-source.ts';
import { DOWNLOAD_OPTION_NAMES, type DownloadOptions } from './fetch-from-storage.ts';
import { parseFileHeaders } from './file-location.ts';
import { createFileExistsError, openPartFile } from './part-file.ts';
import { type DownloadProgress, IDENTITY_ENCODING_HEADER, receiveFile } from './receive-file.ts';
import { isPortableName, sanitizeFileName } from './sanitize-file-name.ts';

export interface SaveOptions extends DownloadOptions {
  /** Replaces an existing file. Default: false. */
  readonly overwrite?: boolean | undefined;
  /** Resumes a broken connection. Default: true. */
  readonly resume?: boolean | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

const SAVE_OPTION_NAMES: OptionNames<SaveOptions> = {
  ...DOWNLOAD_OPTION_NAMES,
  overwrite: true,
  resume: true,
  onProgress: true,
};

export interface SavedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly type: string;
}

/** Writes a temporary file and moves it to its name when it is complete and of the expected kind. */
export async function saveDownload(
  source: DownloadSource,
  path: string | URL,
  options: SaveOptions,
): Promise<SavedFile> {
  checkOptionNames('saveTo', options, SAVE_OPTION_NAMES);
  validateRequestOptions(options);
  const target = await resolveTarget(path);
  const { overwrite = false } = options;
  if (target.name !== undefined && !overwrite) await rejectExisting(join(target.folder, target.name));
  const controller = new AbortController();
  // Closes the connection however this ends.
  const signal = anySignal(controller.signal, options.signal);
  try {
    const opened = await fetchSource(source, { ...options, signal }, { headers: IDENTITY_ENCODING_HEADER });
    const { name: baseName = getFileName(opened) } = target;
    if (!overwrite && getMediaTypeByName(baseName) !== undefined) await rejectExisting(join(target.folder, baseName));
    let detectedType = UNKNOWN_TYPE;
    const checkStart = (response: TransportResponse, firstBytes: Uint8Array) => {
      detectedType = detectMediaType(firstBytes);
      checkFileKind({
        operation: source.operation,
        status: response.status,
        names: [target.name ?? parseFileHeaders(response).name, source.name],
        type: source.url === undefined ? undefined : source.type,
        storageType: parseFileHeaders(response).type,
        firstBytes,
      });
    };
    const part = await openPartFile(target.folder);
    try {
      const { sizeBytes, response } = await receiveFile(opened, { part, checkStart }, { ...options, signal });
      signal.throwIfAborted();
      const headerType = parseFileHeaders(response).type;
      const type = headerType === UNKNOWN_TYPE ? detectedType : headerType;
      const name = target.name ?? addExtension(baseName, type);
      const targetPath = join(target.folder, name);
      await part.commit(targetPath, overwrite);
      return { path: targetPath, name, sizeBytes, type };
    } finally {
      await part.discard();
    }
  } finally {
    controller.abort();
  }
}

async function resolveTarget(path: string | URL): Promise<{ folder: string; name?: string }> {
  const inputPath = toPath(path);
  const absolutePath = resolve(inputPath);
  const stats = await stat(absolutePath).catch(() => undefined);
  if (stats?.isDirectory()) return { folder: absolutePath };
  const folder = /[\\/]$/.test(inputPath) ? absolutePath : dirname(absolutePath);
  const parent = await stat(folder).catch(() => undefined);
  if (!parent?.isDirectory()) throw new InputError(`The folder ${folder} does not exist. Create it first.`);
  if (stats && !stats.isFile()) throw new InputError(`${absolutePath} is not a regular file. Choose another path.`);
  const name = basename(absolutePath);
  if (process.platform === 'win32' && !isPortableName(name))
    throw new InputError(`${name} is not a file name on Windows. Choose another one.`);
  return { folder, name };
}

function toPath(path: string | URL): string {
  try {
    const inputPath = path instanceof URL ? fileURLToPath(path) : path;
    if (typeof inputPath === 'string' && inputPath !== '' && !inputPath.includes('\0')) return inputPath;
  } catch {
    // Not a file URL.
  }
  throw new InputError('saveTo needs the path or file: URL of a file or folder.');
}

async function rejectExisting(target: string): Promise<void> {
  // lstat: a dangling symbolic link exists too.
  const stats = await lstat(target).catch(() => undefined);
  if (stats) throw createFileExistsError(target);
}

/** The file's own name, with an extension for its type if it has none. */
function getFileName({ source, response }: { source: DownloadSource; response: TransportResponse }): string {
  const head = parseFileHeaders(response);
  const name = head.name ?? sanitizeFileName(source.name) ?? 'document';
  return addExtension(addExtension(name, source.type), head.type);
}

function addExtension(name: string, type: string | undefined): string {
  const extension = type === undefined ? undefined : getExtension(type);
  return getMediaTypeByName(name) !== undefined || extension === undefined
    ? name
    : (sanitizeFileName(`${name}${extension}`) ?? name);
}
