import { statSync } from 'node:fs';
import module from 'node:module';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '../src/make-folder.ts';
import { getHomeFolder } from './home-folder.ts';

/** When what was compiled is written: a host that ends the server with its own end would leave none of it. */
const FLUSH_DELAY_MS = 3000;

/**
 * Keeps compiled code in the user's own cache, so that the next start compiles nothing. Where it can't be kept the start is
 * as slow as the first, and nothing else; a `NODE_COMPILE_CACHE` of the user's own wins.
 */
export function enableCompileCache(env: NodeJS.ProcessEnv): void {
  const folder = env['NODE_COMPILE_CACHE'] || getCacheFolder(env);
  if (!folder || !module.enableCompileCache || !isPrivateFolder(folder)) return;
  const { directory } = module.enableCompileCache(folder);
  if (directory !== undefined) setTimeout(() => module.flushCompileCache?.(), FLUSH_DELAY_MS).unref();
}

/** Where programs of this system keep what can be made again; undefined where the user has no such place. */
export function getCacheFolder(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const home = getHomeFolder(env['HOME']);
  const joinCachePath = (base: string | undefined, ...names: string[]) =>
    base && isAbsolute(base) ? join(base, ...names, 'docshare', 'compiled') : undefined;
  if (platform === 'darwin') return joinCachePath(home, 'Library', 'Caches');
  if (platform === 'win32')
    return joinCachePath(env['LOCALAPPDATA']) ?? joinCachePath(home, 'AppData', 'Local');
  return joinCachePath(env['XDG_CACHE_HOME']) ?? joinCachePath(home, '.cache');
}

/** Compiled code that somebody else may have put there is not run. */
function isPrivateFolder(folder: string): boolean {
  try {
    makeFolder(folder);
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}
