import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolError } from '../tool-error.ts';
import { checkDocumentName } from './document-name.ts';
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
  }: { readOnly?: boolean; uploads?: UploadPolicy; secrets?: SecretStore | undefined } = {},
) {
  const createOutsideError = () =>
    new ToolError(
      'path_not_allowed',
      folders.length === 0
        ? 'No folders are allowed. Start the server with --files DIR, or pass url or content.'
        : `The path is outside the allowed folders (${folders.join(', ')}). Use a file inside them, or start the server with --files DIR.`,
    );

  /** The path below each allowed folder that contains it: a person chose what is above. */
  async function getRelativePaths(real: string): Promise<readonly string[]> {
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
    return roots.flatMap((root) => (root !== undefined && isInside(root, real) ? [relative(root, real)] : []));
  }

  /** By name alone, before the disk is accessed: an error must not reveal what exists elsewhere. */
  async function isInsideByName(candidate: string): Promise<boolean> {
    return (
      folders.some((folder) => isInside(resolve(folder), candidate)) || (await getRelativePaths(candidate)).length > 0
    );
  }

  /** Returns the paths below the allowed folders. @throws ToolError for a real path that is outside or hidden. */
  async function checkPlace(real: string | undefined, path: string): Promise<readonly string[]> {
    const relativePaths = real === undefined ? [] : await getRelativePaths(real);
    if (relativePaths.length === 0) throw createOutsideError();
    if (relativePaths.every((one) => one.split(sep).some((part) => part.startsWith('.'))))
      throw new ToolError(
        'path_not_allowed',
        `${path} is hidden (a part of it starts with a dot). Hidden files often contain settings and keys, so they are neither uploaded nor written.`,
      );
    return relativePaths;
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
    if (isAbsolute(path)) return [resolve(path)];
    return folders.map((folder) => resolve(folder, path));
  }

  return {
    /** Allowed folders. */
    folders,
    /** Stores secrets on this machine. Unset if the user can't read its files. */
    secrets,
    /** Returns the real path of an existing, non-empty file in an allowed folder, if files of its name can be uploaded. */
    async resolveExisting(path: string) {
      for (const candidate of candidates(path)) {
        if (!(await isInsideByName(candidate))) throw createOutsideError();
        const real = await realpath(candidate).catch(() => undefined);
        if (real === undefined) continue;
        const relativePaths = await checkPlace(real, path);
        const info = await getFileInfo(real, path);
        checkName(relativePaths);
        return info;
      }
      if (folders.length === 0) throw createOutsideError();
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
      const [candidate] = candidates(path);
      if (candidate === undefined || !(await isInsideByName(candidate))) throw createOutsideError();
      const folder = await stat(candidate).then(
        (stats) => stats.isDirectory(),
        () => path.endsWith('/') || path.endsWith(sep),
      );
      const target = folder ? join(candidate, basename(name)) : candidate;
      const fresh = join(await getRealFolder(dirname(target)), basename(target));
      await checkPlace(fresh, path);
      checkDocumentName(fresh);
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

function isInside(root: string, path: string): boolean {
  const relativePath = relative(root, path);
  return (
    relativePath === '' || !(relativePath === '..' || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath))
  );
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
