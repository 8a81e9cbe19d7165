import { existsSync, readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { getHomeFolder } from '../home-folder.ts';
import { SetupError } from './setup-error.ts';

export type UserFolders = ReturnType<typeof getUserFolders>;

/** Returns the folders in which this user's programs keep their settings. @throws SetupError if the user has no home folder. */
export function getUserFolders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform) {
  const windows = platform === 'win32';
  const { join, isAbsolute } = windows ? win32 : posix;
  const home = windows ? env['USERPROFILE'] || getHomeFolder(undefined) : getHomeFolder(env['HOME']);
  if (!home) throw new SetupError('HOME is not set to a folder. Set it, or pass the settings file with --file.');
  // The XDG standard says to ignore relative paths.
  const chosen = env['XDG_CONFIG_HOME'] ?? '';
  const dotConfig = isAbsolute(chosen) ? chosen : join(home, '.config');
  const config = windows ? env['APPDATA'] || join(home, 'AppData', 'Roaming') : dotConfig;
  return {
    home,
    /** `Application Support`, `%APPDATA%`, or `~/.config`. */
    settings: platform === 'darwin' ? join(home, 'Library', 'Application Support') : config,
    /** `~/.config` except on Windows; some programs use it on macOS too. */
    config,
    /** `~/.config` on every system. */
    dotConfig,
    /** Returns the folders of programs from the Windows store, by the beginning of their name. */
    getPackageFolders: (prefix: string) => {
      const folder = join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Packages');
      const names = windows && existsSync(folder) ? readdirSync(folder) : [];
      return names.filter((name) => name.startsWith(prefix)).map((name) => join(folder, name));
    },
    windows,
    env,
    join,
  };
}
