import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, parse, relative, resolve } from 'node:path';
import { CommandLineError, isWorkingFolderMissing } from '../../src/command-line.ts';
import { getSystemErrorCode } from '../error-code.ts';
import { isHiddenPath } from '../files/hidden-path.ts';
import { getHomeFolder } from '../home-folder.ts';
import type { Command } from './parse-command-line.ts';

/** Resolves the allowed folders to real paths. @throws CommandLineError for a folder that does not exist. */
export function resolveAllowedFolders({
  files: requested,
  http,
  hosted,
  readOnly,
}: Pick<Command, 'files' | 'http' | 'hosted' | 'readOnly'>): string[] {
  const folders = requested.length > 0 ? requested : http || hosted ? [] : getDefaultFolders(readOnly);
  return folders.map((folder) => {
    try {
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw new CommandLineError(`--files ${folder}: this folder does not exist.`);
      accessSync(folder, constants.R_OK | constants.X_OK);
      return realpathSync.native(resolve(folder));
    } catch (error) {
      if (error instanceof CommandLineError || isWorkingFolderMissing(error)) throw error;
      throw new CommandLineError(`--files ${folder}: this folder can't be read (${getSystemErrorCode(error)}).`);
    }
  });
}

/**
 * Defaults to the working folder if it is this user's: desktop hosts start servers in `/`, in a folder of the system, or in
 * their own one.
 * @throws the system's error if it was deleted, unless the server is read-only.
 */
function getDefaultFolders(readOnly: boolean): string[] {
  try {
    const folder = realpathSync.native(process.cwd());
    return folder !== parse(folder).root && isOwnFolder(folder) ? [folder] : [];
  } catch (error) {
    if (readOnly && isWorkingFolderMissing(error)) return [];
    throw error;
  }
}

function isOwnFolder(folder: string): boolean {
  const { platform } = process;
  const home = getHomeFolder(process.env['HOME']);
  if (home !== undefined && existsSync(home)) {
    const root = realpathSync.native(home);
    const path = relative(root, folder);
    if (!path.startsWith('..') && !isAbsolute(path)) return !isHiddenPath({ root, path }, { platform, home: root });
  }
  return process.getuid !== undefined && statSync(folder).uid === process.getuid();
}
