import { createHash, randomBytes } from 'node:crypto';
import { lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../src/errors.ts';
import { isProcessAlive } from '../write/journal.ts';

const LOCK_FILE = '.docshare.learning';
/** A lock file is created before its token is written. An empty one counts as stale only after this time. */
const TOKEN_WRITE_TIMEOUT_MS = 1_000;
/** Ten times the length of a token; a longer file is not a lock file. */
const MAX_LOCK_BYTES = 200;

/** Tokens of this process. In a container, a new process may have the PID of one that was killed. */
const ownTokens = new Set<string>();

/**
 * Runs while holding the folder's lock: two runs would overwrite one profile and remove each other's objects.
 * @throws InputError if another process holds the lock.
 */
export async function withLock<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const path = join(folder, LOCK_FILE);
  const token = `${process.pid} ${randomBytes(6).toString('hex')}\n`;
  ownTokens.add(token);
  try {
    if (!(await createLockFile(path, token))) {
      const heldToken = await readToken(path);
      const pid = Number(/^\d+/.exec(heldToken ?? '')?.[0] ?? Number.NaN);
      const isStale = pid === process.pid ? !ownTokens.has(heldToken ?? '') : !(pid > 0 && isProcessAlive(pid));
      const acquired =
        heldToken === undefined ? createLockFile(path, token) : isStale && takeOver(path, { heldToken, token });
      if (!(await acquired))
        throw new InputError(
          `Another run is using the folder ${folder}${pid > 0 ? ` (process ${pid})` : ''}. Wait until it ends, or choose another folder with --out. If there is no other run, delete ${resolve(path)}.`,
        );
    }
    return await run();
  } finally {
    ownTokens.delete(token);
    if ((await readToken(path, 0)) === token) await rm(path, { force: true });
  }
}

/**
 * Returns the token in the lock file; undefined if the file is gone.
 * @throws InputError if the path is not a file: reading a pipe would never end.
 */
async function readToken(path: string, timeoutMs = TOKEN_WRITE_TIMEOUT_MS): Promise<string | undefined> {
  for (const until = performance.now() + timeoutMs; ; await sleep(20)) {
    const found = await lstat(path).catch(() => undefined);
    if (!found) return undefined;
    if (found.isSymbolicLink()) return '';
    if (!found.isFile()) throw new InputError(`${resolve(path)} exists but is not a file. Remove it and try again.`);
    if (found.size > MAX_LOCK_BYTES) return '';
    const token = await readFile(path, 'utf8').catch(() => undefined);
    if (token !== '' || performance.now() >= until) return token;
  }
}

/**
 * Replaces a stale token; returns false if another run did so first. Only the process that creates the file named after
 * the stale token may replace it: otherwise a second process could replace the first one's new token.
 */
async function takeOver(path: string, { heldToken, token }: { heldToken: string; token: string }): Promise<boolean> {
  const takeoverPath = `${path}.${createHash('sha256').update(heldToken).digest('hex').slice(0, 12)}`;
  if (!(await createLockFile(takeoverPath, token))) return false;
  const isStale = (await readToken(path, 0)) === heldToken;
  await (isStale ? rename(takeoverPath, path) : rm(takeoverPath, { force: true }));
  return isStale;
}

/** Creates the lock file. Returns false if it exists already or another process replaced it. */
async function createLockFile(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(token).finally(() => file.close());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    await rm(path, { force: true }).catch(() => undefined);
    throw new InputError(
      `${path} can't be written (${code ?? 'unknown'}). Free up space, or choose another folder with --out.`,
    );
  }
  return (await readToken(path, 0)) === token;
}
