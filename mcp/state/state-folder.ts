import { chmodSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { createPrivateFolder } from '../../src/create-private-folder.ts';
import { getHomeFolder } from '../home-folder.ts';

/** Returns this system's folder for application state, or undefined if the user has none. */
export function getStateFolder(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const home = getHomeFolder(env['HOME']);
  const subfolder = (base: string | undefined, ...names: string[]) => base && join(base, ...names, 'docshare');
  if (platform === 'darwin') return subfolder(home, 'Library', 'Application Support');
  if (platform === 'win32') return subfolder(env['LOCALAPPDATA']) || subfolder(home, 'AppData', 'Local');
  const xdgStateHome = env['XDG_STATE_HOME'];
  // The XDG standard says to ignore relative paths.
  return xdgStateHome && isAbsolute(xdgStateHome) ? subfolder(xdgStateHome) : subfolder(home, '.local', 'state');
}

/**
 * Creates the folder if missing and restricts it to its owner.
 * @throws if it belongs to another user, or everybody could have put files into it.
 */
export function ensurePrivateFolder(folder: string): void {
  createPrivateFolder(folder);
  const found = statSync(folder);
  if (!found.isDirectory()) throw new Error('The state folder is not a folder');
  if (process.getuid && found.uid !== process.getuid()) throw new Error('The state folder belongs to another user');
  if (process.platform === 'win32') return;
  if ((found.mode & 0o002) !== 0) throw new Error('Everybody may write to the state folder');
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
