import { posix, win32 } from 'node:path';
import { getHomeFolder } from '../home-folder.ts';
import { SetupError } from './setup-error.ts';

/** Where programs of this person on this machine keep their settings. */
export interface UserFolders {
  readonly home: string;
  /** `Application Support`, `%APPDATA%`, or `~/.config`. */
  readonly settings: string;
  /** `~/.config` where it is not Windows: some programs keep to it on a Mac too. */
  readonly config: string;
  readonly windows: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly join: (...parts: string[]) => string;
}

/** @throws SetupError where this person has no home. */
export function getUserFolders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): UserFolders {
  const windows = platform === 'win32';
  const { join, isAbsolute } = windows ? win32 : posix;
  const home = windows ? env['USERPROFILE'] || getHomeFolder(undefined) : getHomeFolder(env['HOME']);
  if (!home)
    throw new SetupError('HOME names no folder. Set it to your own, or name the settings by --file.');
  // The standard says so: a path that is not absolute counts as none.
  const chosen = env['XDG_CONFIG_HOME'] ?? '';
  const config = isAbsolute(chosen) && !windows ? chosen : join(home, '.config');
  if (windows) {
    const settings = env['APPDATA'] || join(home, 'AppData', 'Roaming');
    return { home, settings, config: settings, windows, env, join };
  }
  const settings = platform === 'darwin' ? join(home, 'Library', 'Application Support') : config;
  return { home, settings, config, windows, env, join };
}
