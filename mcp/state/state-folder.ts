import { chmodSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '../../src/make-folder.ts';
import { getHomeFolder } from '../home-folder.ts';

/** Where programs of this system keep what outlives them and is no setting; undefined where the user has no such place. */
export function getStateFolder(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const home = getHomeFolder(env['HOME']);
  const subfolder = (base: string | undefined, ...names: string[]) =>
    base && join(base, ...names, 'docshare');
  if (platform === 'darwin') return subfolder(home, 'Library', 'Application Support');
  if (platform === 'win32') return subfolder(env['LOCALAPPDATA']) || subfolder(home, 'AppData', 'Local');
  const xdgStateHome = env['XDG_STATE_HOME'];
  // The standard tells programs to overlook a relative one.
  return xdgStateHome && isAbsolute(xdgStateHome)
    ? subfolder(xdgStateHome)
    : subfolder(home, '.local', 'state');
}

/** Makes the folder where it is missing, and closes it to everybody else. @throws where it is not this user's own. */
export function ensurePrivateFolder(folder: string): void {
  makeFolder(folder);
  const found = statSync(folder);
  if (!found.isDirectory()) throw new Error('The state folder is no folder');
  if (process.getuid && found.uid !== process.getuid())
    throw new Error('The state folder belongs to another user');
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
