import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolError } from '../tool-error.ts';
import { checkDocumentName } from './document-kinds.ts';
import { openedPath } from './opened-path.ts';

/** Files up to this many bytes are taken; the service's own limit is not shown (§8). */
export const FILE_LIMIT_BYTES = 1024 * 1024 * 1024;

/** The only way from a tool to the disk: nothing outside the allowed folders is read or written. */
export interface FileDoor {
  /** Real path of an existing, non-empty file inside an allowed folder. */
  existing(path: string): Promise<{ path: string; sizeBytes: number; modifiedMs: number }>;
  /** @throws ToolError where an open file stands outside the allowed folders: its path was exchanged after the check. */
  opened(handle: FileHandle, path: string): Promise<void>;
  /** Path for a file that does not exist yet, in an existing allowed folder; `name` where the path is a folder. */
  fresh(path: string, name: string): Promise<string>;
}

/** A door to `folders`; a relative path is meant from the first that has it. A read-only door saves nothing. */
export function createFileDoor(
  folders: readonly string[],
  { readOnly = false }: { readOnly?: boolean } = {},
): FileDoor {
  const refusal = () =>
    new ToolError(
      'path_refused',
      folders.length === 0
        ? 'No folder is allowed: start the server with --files DIR, or pass url or content.'
        : `The path is outside the allowed folders (${folders.join(', ')}). Use a file in there, or start the server with --files DIR.`,
    );

  async function allowed(path: string): Promise<boolean> {
    for (const folder of folders) {
      const root = await realpath(folder).catch(() => undefined);
      if (root !== undefined && isInside(root, path)) return true;
    }
    return false;
  }

  /** By its words alone, before the disk is asked for the path: an answer must not tell what exists elsewhere. */
  async function isNamedInside(candidate: string): Promise<boolean> {
    return folders.some((folder) => isInside(resolve(folder), candidate)) || allowed(candidate);
  }

  /** Below the allowed folder: that one itself was chosen by a person. */
  async function isHidden(path: string): Promise<boolean> {
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
    return roots
      .filter((root) => isInside(root, path))
      .every((root) =>
        relative(root, path)
          .split(sep)
          .some((part) => part.startsWith('.')),
      );
  }

  function candidates(path: string): string[] {
    if (path.includes('\0')) throw new ToolError('path_refused', 'The path holds a zero byte.');
    if (isAbsolute(path)) return [resolve(path)];
    return folders.map((folder) => resolve(folder, path));
  }

  return {
    async existing(path) {
      for (const candidate of candidates(path)) {
        if (!(await isNamedInside(candidate))) throw refusal();
        const real = await realpath(candidate).catch(() => undefined);
        if (real === undefined) continue;
        if (!(await allowed(real))) throw refusal();
        if (await isHidden(real)) throw hidden(path);
        return describe(real, path);
      }
      if (folders.length === 0) throw refusal();
      throw new ToolError('no_file', `There is no file at ${path}. Allowed folders: ${folders.join(', ')}.`);
    },
    async opened(handle, path) {
      const place = await openedPath(handle, path);
      if (place === undefined || !(await allowed(place))) throw refusal();
      if (await isHidden(place)) throw hidden(path);
    },
    async fresh(path, name) {
      if (readOnly)
        throw new ToolError(
          'read_only',
          'This server is read-only and saves no files: leave out path for a short-lived address.',
        );
      const [candidate] = candidates(path);
      if (candidate === undefined || !(await isNamedInside(candidate))) throw refusal();
      const folder = await stat(candidate).then(
        (found) => found.isDirectory(),
        () => path.endsWith('/') || path.endsWith(sep),
      );
      const target = folder ? join(candidate, basename(name)) : candidate;
      const parent = await getParentFolder(target);
      if (!(await allowed(parent))) throw refusal();
      const fresh = join(parent, basename(target));
      if (await isHidden(fresh)) throw hidden(path);
      checkDocumentName(fresh);
      return fresh;
    },
  };
}

function hidden(path: string): ToolError {
  return new ToolError(
    'path_refused',
    `${path} is hidden (its name or a folder's begins with a dot): such files hold settings and keys, and are neither uploaded nor written.`,
  );
}

async function getParentFolder(target: string): Promise<string> {
  const parent = await realpath(dirname(target)).catch(() => undefined);
  if (parent === undefined || !(await stat(parent)).isDirectory())
    throw new ToolError('no_folder', `There is no folder ${dirname(target)}; make it first.`);
  return parent;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

async function describe(real: string, path: string) {
  const found = await stat(real);
  if (found.isDirectory()) throw new ToolError('no_file', `${path} is a folder; name a file in it.`);
  if (!found.isFile()) throw new ToolError('no_file', `${path} is no regular file.`);
  if (found.size === 0) throw new ToolError('no_file', `${path} is empty.`);
  if (found.size > FILE_LIMIT_BYTES)
    throw new ToolError(
      'too_large',
      `${path} has ${found.size} bytes; this server takes up to ${FILE_LIMIT_BYTES}.`,
    );
  return { path: real, sizeBytes: found.size, modifiedMs: found.mtimeMs };
}
