import { type FileHandle, readlink, realpath, stat } from 'node:fs/promises';

/**
 * Where an open file stands, whatever its path leads to by now. Linux tells it for certain; elsewhere the path is asked
 * once more, and must lead to the same file.
 * @returns undefined where it stands nowhere that is known.
 */
export async function getOpenFilePath(handle: FileHandle, path: string): Promise<string | undefined> {
  const descriptorPath = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (descriptorPath !== undefined) return descriptorPath.endsWith(' (deleted)') ? undefined : descriptorPath;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const [pathStats, handleStats] = await Promise.all([
    stat(real, { bigint: true }),
    handle.stat({ bigint: true }),
  ]);
  return pathStats.dev === handleStats.dev && pathStats.ino === handleStats.ino ? real : undefined;
}
