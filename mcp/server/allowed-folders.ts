import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { isWorkingFolderMissing } from '../../src/command-line.ts';
import { getErrorCode } from '../error-code.ts';
import { type Command, CommandLineError } from './parse-command-line.ts';

/** Resolves the allowed folders to real paths. @throws CommandLineError for a folder that does not exist. */
export function resolveAllowedFolders({ files: requested, http, hosted, readOnly }: Command): string[] {
  const folders = requested.length > 0 ? requested : http || hosted ? [] : getDefaultFolders(readOnly);
  return folders.map((folder) => {
    try {
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw new CommandLineError(`--files ${folder}: this folder does not exist.`);
      accessSync(folder, constants.R_OK | constants.X_OK);
      return realpathSync(resolve(folder));
    } catch (error) {
      if (error instanceof CommandLineError || isWorkingFolderMissing(error)) throw error;
      throw new CommandLineError(`--files ${folder}: this folder can't be read (${getErrorCode(error)}).`);
    }
  });
}

/**
 * Defaults to the working folder, except the root folder, in which desktop hosts start servers.
 * @throws the system's error if it was deleted, unless the server is read-only.
 */
function getDefaultFolders(readOnly: boolean): string[] {
  try {
    const folder = process.cwd();
    return folder === parse(folder).root ? [] : [folder];
  } catch (error) {
    if (readOnly && isWorkingFolderMissing(error)) return [];
    throw error;
  }
}
