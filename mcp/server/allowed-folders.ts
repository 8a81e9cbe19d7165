import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { isWorkingFolderMissing } from '../../src/command-line.ts';
import { type Command, CommandLineError } from './parse-command-line.ts';

/** The allowed folders, as real paths. @throws CommandLineError for one that is none. */
export function resolveAllowedFolders({ files: requested, http, hosted, readOnly }: Command): string[] {
  const folders = requested.length > 0 ? requested : http || hosted ? [] : getDefaultFolders(readOnly);
  return folders.map((folder) => {
    try {
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw new CommandLineError(`--files ${folder}: there is no such folder.`);
      accessSync(folder, constants.R_OK | constants.X_OK);
      return realpathSync(resolve(folder));
    } catch (error) {
      if (error instanceof CommandLineError || isWorkingFolderMissing(error)) throw error;
      throw new CommandLineError(
        `--files ${folder}: the folder can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      );
    }
  });
}

/**
 * Desktop hosts start servers in the root folder: the whole disk is never meant by default. Nor is this machine's disk
 * meant by whoever asks over HTTP.
 * @throws the system's error where it was deleted, unless the server that nothing is uploaded by can do without.
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
