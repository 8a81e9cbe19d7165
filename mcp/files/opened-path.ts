import { type FileHandle, readlink, realpath, stat } from 'node:fs/promises';

/**
 * Where an open file stands, whatever its path leads to by now. Linux tells it for certain; elsewhere the path is asked
 * once more, and must lead to the same file.
 * @returns undefined where it stands nowhere that is known.
 */
export async function openedPath(handle: FileHandle, path: string): Promise<string | undefined> {
  const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (told !== undefined) return told.endsWith(' (deleted)') ? undefined : told;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const [found, own] = await Promise.all([stat(real, { bigint: true }), handle.stat({ bigint: true })]);
  return found.dev === own.dev && found.ino === own.ino ? real : undefined;
}
