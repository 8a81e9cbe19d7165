import { createHash, randomBytes } from 'node:crypto';
import { lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../src/errors.ts';
import { isProcessAlive } from '../write/journal.ts';

const LOCK_FILE = '.docshare.learning';
/** A file is made first and marked then: so long nobody takes an empty one for left behind. */
const TOKEN_WRITE_TIMEOUT_MS = 1_000;
/** A mark is a tenth of it; what is longer is none. */
const MAX_LOCK_BYTES = 200;

/** Marks of this process: in a container the next run may bear the number of one that was killed. */
const ownTokens = new Set<string>();

/**
 * Runs while no other run is at work in the folder: two would write one profile, and remove what the other has made.
 * @throws InputError where another process is at work there.
 */
export async function withLock<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const path = join(folder, LOCK_FILE);
  const token = `${process.pid} ${randomBytes(6).toString('hex')}\n`;
  ownTokens.add(token);
  try {
    if (!(await createLockFile(path, token))) {
      const heldToken = await readToken(path);
      const pid = Number(/^\d+/.exec(heldToken ?? '')?.[0] ?? Number.NaN);
      // What a killed run left behind.
      const isStale =
        pid === process.pid ? !ownTokens.has(heldToken ?? '') : !(pid > 0 && isProcessAlive(pid));
      const acquired =
        heldToken === undefined
          ? createLockFile(path, token)
          : isStale && takeOver(path, { heldToken, token });
      if (!(await acquired))
        throw new InputError(
          `Another run is at work in the folder ${folder}${pid > 0 ? ` (process ${pid})` : ''}. Wait for its end, or give another folder by --out. If none is, delete ${resolve(path)}.`,
        );
    }
    return await run();
  } finally {
    ownTokens.delete(token);
    if ((await readToken(path, 0)) === token) await rm(path, { force: true });
  }
}

/**
 * The mark of who is at work; undefined where nothing lies there any more.
 * @throws InputError where something lies there that is no such file: a pipe would keep its reader for ever.
 */
async function readToken(path: string, timeoutMs = TOKEN_WRITE_TIMEOUT_MS): Promise<string | undefined> {
  for (const until = performance.now() + timeoutMs; ; await sleep(20)) {
    const found = await lstat(path).catch(() => undefined);
    if (!found) return undefined;
    if (found.isSymbolicLink()) return '';
    if (!found.isFile())
      throw new InputError(`${resolve(path)} exists but is not a file. Remove it and try again.`);
    if (found.size > MAX_LOCK_BYTES) return '';
    const token = await readFile(path, 'utf8').catch(() => undefined);
    if (token !== '' || performance.now() >= until) return token;
  }
}

/**
 * Puts a mark in the place of one that was left behind; false where another run is at it, or was. Only who makes the file that
 * is named after the old mark may: of two that move it away, the second would have the first's own in its hands.
 */
async function takeOver(
  path: string,
  { heldToken, token }: { heldToken: string; token: string },
): Promise<boolean> {
  const takeoverPath = `${path}.${createHash('sha256').update(heldToken).digest('hex').slice(0, 12)}`;
  if (!(await createLockFile(takeoverPath, token))) return false;
  const isStale = (await readToken(path, 0)) === heldToken;
  await (isStale ? rename(takeoverPath, path) : rm(takeoverPath, { force: true }));
  return isStale;
}

/** Whether the file was made with this mark in it, by nobody else before, and is there still. */
async function createLockFile(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(token).finally(() => file.close());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    await rm(path, { force: true }).catch(() => undefined);
    throw new InputError(
      `${path} can't be written (${code ?? 'unknown'}). Make room, or give another folder by --out.`,
    );
  }
  return (await readToken(path, 0)) === token;
}
