import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { getHomeFolder } from '../home-folder.ts';
import { ToolError } from '../tool-error.ts';
import { checkDocumentName } from './document-name.ts';
import { isHiddenPath, type UserMachine } from './hidden-path.ts';
import { getOpenFilePath } from './open-file-path.ts';
import { checkUploadName, type UploadPolicy } from './upload-name.ts';

/** Maximum file size; the service's own limit is not documented (§8). */
export const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** Files for secrets that the service shows only once, readable by their owner only. No result contains such a secret. */
export interface SecretStore {
  /** Call it before the request whose response has the secret. @throws ToolError if no file could be written. */
  ensureWritable(): void;
  /** Writes a new file whose name begins with `name`, and returns its path. */
  save(name: string, text: string): Promise<string>;
}

export type FileAccess = ReturnType<typeof createFileAccess>;

export interface FileAccessOptions {
  readonly readOnly?: boolean;
  readonly uploads?: UploadPolicy;
  readonly secrets?: SecretStore | undefined;
  readonly machine?: UserMachine;
  /** The instruction that allows a folder; false if nothing does, as on a hosted server. */
  readonly folderAdvice?: string | false;
}

/**
 * Gives access to `folders`, the only access of tools to the disk: nothing outside is read or written. A relative path is
 * resolved in the first folder that has it. A read-only access saves nothing. `uploads` decides which names can be read.
 */
export function createFileAccess(
  folders: readonly string[],
  {
    readOnly = false,
    uploads = 'documents',
    secrets,
    machine = { platform: process.platform, home: getHomeFolder(process.env['HOME']) },
    folderAdvice = 'Start the server with --files DIR',
  }: FileAccessOptions = {},
) {
  const createOutsideError = () =>
    new ToolError(
      'path_not_allowed',
      folderAdvice === false
        ? 'A hosted server can’t read files of your computer. Pass a URL, or a file from the chat.'
        : folders.length === 0
          ? `No folders are allowed. ${folderAdvice}, or pass url or content.`
          : `The path is outside the allowed folders (${folders.join(', ')}). Use a file inside them. ${folderAdvice} to allow another.`,
    );

  /** Returns each allowed folder that contains a real path, and the path below it: a person chose what is above. */
  async function findPlaces(real: string) {
    const places = await Promise.all(folders.map((folder) => findBelow(folder, real)));
    return places.filter((place) => place !== undefined);
  }

  /**
   * Returns the paths below the allowed folders.
   * @throws ToolError for a real path that is outside or hidden. For one outside it doesn't depend on what exists there.
   */
  async function checkPlace(real: string | undefined, path: string): Promise<readonly string[]> {
    const places = real === undefined ? [] : await findPlaces(real);
    if (places.length === 0) throw createOutsideError();
    const privateFolders = await Promise.all((machine.privateFolders ?? []).map(getRealPath));
    if (places.every((place) => isHiddenPath(place, { ...machine, privateFolders })))
      throw new ToolError(
        'path_not_allowed',
        `${path} is hidden (a part of it starts with a dot, or programs keep settings there). Hidden files often contain settings and keys, so they are neither uploaded nor written.`,
      );
    return places.map((place) => place.path);
  }

  /** The path below the innermost allowed folder decides. @throws ToolError */
  function checkName(relativePaths: readonly string[]): void {
    const [innermost = ''] = relativePaths.toSorted((a, b) => a.length - b.length);
    checkUploadName(innermost, uploads);
  }

  /** @throws ToolError if an open file is outside the allowed folders because its path was replaced after the check. */
  const verifyOpened = async (handle: FileHandle, path: string) =>
    checkPlace(await getOpenFilePath(handle, path), path);

  function candidates(path: string): string[] {
    if (path.includes('\0')) throw new ToolError('path_not_allowed', 'The path contains a zero byte.');
    // macOS stores accents in another form than most keyboards and models write.
    const forms = [...new Set([path, path.normalize('NFC'), path.normalize('NFD')])];
    return forms.flatMap((form) => (isAbsolute(form) ? [resolve(form)] : folders.map((one) => resolve(one, form))));
  }

  return {
    /** Allowed folders. */
    folders,
    /** Stores secrets on this machine. Unset if the user can't read its files. */
    secrets,
    /** Returns the real path of an existing, non-empty file in an allowed folder, if files of its name can be uploaded. */
    async resolveExisting(path: string) {
      const places: object[] = [];
      for (const candidate of candidates(path)) {
        const real = await realpath(candidate).catch(() => undefined);
        if (real === undefined) {
          places.push(...(await findPlaces(await getRealPath(candidate))));
          continue;
        }
        const relativePaths = await checkPlace(real, path);
        const info = await getFileInfo(real, path);
        checkName(relativePaths);
        return info;
      }
      if (places.length === 0) throw createOutsideError();
      throw new ToolError('no_file', `File not found: ${path}. Allowed folders: ${folders.join(', ')}.`);
    },
    verifyOpened,
    /** Like `verifyOpened`, also for the file's name. */
    verifyOpenedForUpload: async (handle: FileHandle, path: string) => checkName(await verifyOpened(handle, path)),
    /** Returns the path for a new file in an allowed folder, or in new folders below; `name` is used if the path is a folder. */
    async resolveNew(path: string, name: string): Promise<string> {
      if (readOnly)
        throw new ToolError(
          'read_only',
          'This server is read-only and cannot save files. Omit path to get a short-lived URL.',
        );
      const [candidate = sep] = candidates(path);
      if ((await findPlaces(await getRealPath(candidate))).length === 0) throw createOutsideError();
      const folder = await stat(candidate).then(
        (stats) => stats.isDirectory(),
        // Documents have an ending, so a new name without one is a folder.
        () => path.endsWith('/') || path.endsWith(sep) || extname(candidate) === '',
      );
      const target = folder ? join(candidate, basename(name)) : candidate;
      const fresh = join(await getRealFolder(dirname(target)), basename(target));
      await checkPlace(fresh, path);
      checkDocumentName(basename(fresh));
      return fresh;
    },
  };
}

/** The real path of a folder, of which the last parts may not exist yet. */
async function getRealFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined && dirname(folder) !== folder)
    return join(await getRealFolder(dirname(folder)), basename(folder));
  if (real === undefined || !(await stat(real)).isDirectory())
    throw new ToolError('no_folder', `${folder} is not a folder. Choose another path.`);
  return real;
}

/** Returns the path with its existing part resolved; the rest may not exist. */
async function getRealPath(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () => (parent === path ? path : join(await getRealPath(parent), basename(path))));
}

/** Finds a real path below a folder. Folders are compared as files, so that case and form of letters don't matter. */
async function findBelow(folder: string, real: string): Promise<{ root: string; path: string } | undefined> {
  const wanted = await stat(folder, { bigint: true }).catch(() => undefined);
  for (let root = real; wanted !== undefined; root = dirname(root)) {
    const found = await stat(root, { bigint: true }).catch(() => undefined);
    if (found?.ino === wanted.ino && found.dev === wanted.dev) return { root, path: relative(root, real) };
    if (root === dirname(root)) return undefined;
  }
  return undefined;
}

async function getFileInfo(real: string, path: string) {
  const stats = await stat(real);
  if (stats.isDirectory()) throw new ToolError('no_file', `${path} is a folder. Choose a file in it.`);
  if (!stats.isFile()) throw new ToolError('no_file', `${path} is not a regular file. Choose another path.`);
  if (stats.size === 0) throw new ToolError('no_file', `${path} is empty.`);
  if (stats.size > MAX_FILE_BYTES)
    throw new ToolError('too_large', `${path} has ${stats.size} bytes. The limit is ${MAX_FILE_BYTES} bytes.`);
  return { path: real, sizeBytes: stats.size, modifiedMs: stats.mtimeMs };
}
