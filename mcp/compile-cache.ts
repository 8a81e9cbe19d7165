import { statSync } from 'node:fs';
import module from 'node:module';
import { isAbsolute, join } from 'node:path';
import { createPrivateFolder } from '../src/create-private-folder.ts';
import { getHomeFolder } from './home-folder.ts';

/** Delay until the cache is written, because a host may kill the server without a clean exit. */
export const FLUSH_DELAY_MS = 3000;

/** Caches compiled code in the user's cache folder, or in `NODE_COMPILE_CACHE`, to speed up the next start. */
export function enableCompileCache(env: NodeJS.ProcessEnv): void {
  const folder = openCacheFolder(env);
  if (folder === undefined || !module.enableCompileCache) return;
  const { directory } = module.enableCompileCache(folder);
  if (directory !== undefined) setTimeout(() => module.flushCompileCache?.(), FLUSH_DELAY_MS).unref();
}

/** Folder for compiled code; undefined if there is none that only this user can write to. */
export function openCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env['NODE_COMPILE_CACHE'] || getCacheFolder(env);
  return folder && isPrivateFolder(folder) ? folder : undefined;
}

/** Cache folder of this platform; undefined if the user has none. */
export function getCacheFolder(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const home = getHomeFolder(env['HOME']);
  const joinCachePath = (base: string | undefined, ...names: string[]) =>
    base && isAbsolute(base) ? join(base, ...names, 'docshare', 'compiled') : undefined;
  if (platform === 'darwin') return joinCachePath(home, 'Library', 'Caches');
  if (platform === 'win32') return joinCachePath(env['LOCALAPPDATA']) ?? joinCachePath(home, 'AppData', 'Local');
  return joinCachePath(env['XDG_CACHE_HOME']) ?? joinCachePath(home, '.cache');
}

/** Code that another user could have written must not run. */
function isPrivateFolder(folder: string): boolean {
  try {
    createPrivateFolder(folder);
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}
