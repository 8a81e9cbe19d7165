import { createHash, randomBytes } from 'node:crypto';
import { lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../src/errors.ts';
import { isAlive } from '../write/journal.ts';

const FILE = '.docshare.learning';
/** A file is made first and marked then: so long nobody takes an empty one for left behind. */
const TOKEN_WRITE_TIMEOUT_MS = 1_000;
/** A mark is a tenth of it; what is longer is none. */
const MAX_LOCK_BYTES = 200;

/** Marks of this process: in a container the next run may bear the number of one that was killed. */
const own = new Set<string>();

/**
 * Runs while no other run is at work in the folder: two would write one profile, and remove what the other has made.
 * @throws InputError where another process is at work there.
 */
export async function asOnlyOne<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const path = join(folder, FILE);
  const mark = `${process.pid} ${randomBytes(6).toString('hex')}\n`;
  own.add(mark);
  try {
    if (!(await claim(path, mark))) {
      const held = await markIn(path);
      const pid = Number(/^\d+/.exec(held ?? '')?.[0] ?? Number.NaN);
      // What a killed run left behind.
      const isLeft = pid === process.pid ? !own.has(held ?? '') : !(pid > 0 && isAlive(pid));
      const isOurs = held === undefined ? claim(path, mark) : isLeft && takeOver(path, { held, mark });
      if (!(await isOurs))
        throw new InputError(
          `Another run is at work in the folder ${folder}${pid > 0 ? ` (process ${pid})` : ''}. Wait for its end, or give another folder by --out. If none is, delete ${resolve(path)}.`,
        );
    }
    return await run();
  } finally {
    own.delete(mark);
    if ((await markIn(path, 0)) === mark) await rm(path, { force: true });
  }
}

/**
 * The mark of who is at work; undefined where nothing lies there any more.
 * @throws InputError where something lies there that is no such file: a pipe would keep its reader for ever.
 */
async function markIn(path: string, waitMs = TOKEN_WRITE_TIMEOUT_MS): Promise<string | undefined> {
  for (const until = performance.now() + waitMs; ; await sleep(20)) {
    const found = await lstat(path).catch(() => undefined);
    if (!found) return undefined;
    if (found.isSymbolicLink()) return '';
    if (!found.isFile()) throw new InputError(`${resolve(path)} is in the way: it is no file. Take it away.`);
    if (found.size > MAX_LOCK_BYTES) return '';
    const mark = await readFile(path, 'utf8').catch(() => undefined);
    if (mark !== '' || performance.now() >= until) return mark;
  }
}

/**
 * Puts a mark in the place of one that was left behind; false where another run is at it, or was. Only who makes the file that
 * is named after the old mark may: of two that move it away, the second would have the first's own in its hands.
 */
async function takeOver(path: string, { held, mark }: { held: string; mark: string }): Promise<boolean> {
  const turn = `${path}.${createHash('sha256').update(held).digest('hex').slice(0, 12)}`;
  if (!(await claim(turn, mark))) return false;
  const isLeft = (await markIn(path, 0)) === held;
  await (isLeft ? rename(turn, path) : rm(turn, { force: true }));
  return isLeft;
}

/** Whether the file was made with this mark in it, by nobody else before, and is there still. */
async function claim(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(mark).finally(() => file.close());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    await rm(path, { force: true }).catch(() => undefined);
    throw new InputError(
      `${path} can't be written (${code ?? 'unknown'}). Make room, or give another folder by --out.`,
    );
  }
  return (await markIn(path, 0)) === mark;
}
