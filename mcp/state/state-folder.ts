import { chmodSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/** Where programs of this system keep what outlives them and is no setting. */
export function stateFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] || homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'docshare');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'docshare');
  const own = env['XDG_STATE_HOME'];
  // The standard tells programs to overlook a relative one.
  return join(own && isAbsolute(own) ? own : join(home, '.local', 'state'), 'docshare');
}

/** Makes the folder where it is missing, and closes it to everybody else. @throws where it is not this user's own. */
export function openFolder(folder: string): void {
  makeFolder(folder);
  const found = statSync(folder);
  if (!found.isDirectory()) throw new Error('The state folder is no folder');
  if (process.getuid && found.uid !== process.getuid())
    throw new Error('The state folder belongs to another user');
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
