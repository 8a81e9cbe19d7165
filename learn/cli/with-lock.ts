import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../src/errors.ts';
import { lockFile } from '../../src/lock-file.ts';

const LOCK_FILE = '.docshare.learning';
/** Longer than an empty lock file counts as held: its process may be about to write its PID. */
const MAX_WAIT_MS = 2_500;

/**
 * Runs while holding the folder's lock: two runs would overwrite one profile and remove each other's objects.
 * @throws InputError if another process holds the lock.
 */
export async function withLock<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const path = join(folder, LOCK_FILE);
  for (const until = performance.now() + MAX_WAIT_MS; ; await sleep(20)) {
    const lock = tryLock(path);
    if ('release' in lock) return run().finally(lock.release);
    if (lock.pid === undefined && performance.now() < until) continue;
    throw new InputError(
      `Another run is using the folder ${folder}${lock.pid === undefined ? '' : ` (process ${lock.pid})`}. Wait until it ends, or choose another folder with --out. If there is no other run, delete ${resolve(path)}.`,
    );
  }
}

function tryLock(path: string): ReturnType<typeof lockFile> {
  try {
    return lockFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      code === undefined
        ? message
        : `${path} can't be written (${code}). Free up space, or choose another folder with --out.`,
    );
  }
}
