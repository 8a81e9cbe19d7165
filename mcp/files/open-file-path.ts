import { type FileHandle, readlink, realpath, stat } from 'node:fs/promises';

/**
 * Returns the current path of an open file. Linux knows it; elsewhere, the given path must still lead to the
 * same file.
 * @returns undefined if the path is unknown.
 */
export async function getOpenFilePath(handle: FileHandle, path: string): Promise<string | undefined> {
  const descriptorPath =
    process.platform === 'linux' ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
  if (descriptorPath !== undefined) return descriptorPath.endsWith(' (deleted)') ? undefined : descriptorPath;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const [pathStats, handleStats] = await Promise.all([stat(real, { bigint: true }), handle.stat({ bigint: true })]);
  return pathStats.dev === handleStats.dev && pathStats.ino === handleStats.ino ? real : undefined;
}
