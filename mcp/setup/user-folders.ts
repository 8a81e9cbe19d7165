import { posix, win32 } from 'node:path';
import { getHomeFolder } from '../home-folder.ts';
import { SetupError } from './setup-error.ts';

/** Folders in which this user's programs keep their settings. */
export interface UserFolders {
  readonly home: string;
  /** `Application Support`, `%APPDATA%`, or `~/.config`. */
  readonly settings: string;
  /** `~/.config` except on Windows; some programs use it on macOS too. */
  readonly config: string;
  readonly windows: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly join: (...parts: string[]) => string;
}

/** @throws SetupError if the user has no home folder. */
export function getUserFolders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): UserFolders {
  const windows = platform === 'win32';
  const { join, isAbsolute } = windows ? win32 : posix;
  const home = windows ? env['USERPROFILE'] || getHomeFolder(undefined) : getHomeFolder(env['HOME']);
  if (!home) throw new SetupError('HOME is not set to a folder. Set it, or pass the settings file with --file.');
  // The XDG standard says to ignore relative paths.
  const chosen = env['XDG_CONFIG_HOME'] ?? '';
  const config = isAbsolute(chosen) && !windows ? chosen : join(home, '.config');
  if (windows) {
    const settings = env['APPDATA'] || join(home, 'AppData', 'Roaming');
    return { home, settings, config: settings, windows, env, join };
  }
  const settings = platform === 'darwin' ? join(home, 'Library', 'Application Support') : config;
  return { home, settings, config, windows, env, join };
}
