import { randomBytes } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../src/errors.ts';
import { isAlive } from '../write/journal.ts';

const FILE = '.docshare.learning';

/**
 * Runs while no other run is at work in the folder: two would write one profile, and remove what the other has made.
 * @throws InputError where another process is at work there.
 */
export async function asOnlyOne<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const path = join(folder, FILE);
  const mark = `${process.pid} ${randomBytes(6).toString('hex')}\n`;
  if (!(await claim(path, mark))) {
    const held = await readFile(path, 'utf8').catch(() => '');
    const pid = Number(/^\d+/.exec(held)?.[0] ?? Number.NaN);
    // What a killed run left behind.
    const isLeft = Number.isNaN(pid) || !(pid === process.pid || isAlive(pid));
    if (isLeft) await rm(path, { force: true });
    if (!isLeft || !(await claim(path, mark)))
      throw new InputError(
        `Another run is at work in the folder ${folder} (process ${pid}). Wait for its end, or give another folder by --out.`,
      );
  }
  try {
    return await run();
  } finally {
    if ((await readFile(path, 'utf8').catch(() => '')) === mark) await rm(path, { force: true });
  }
}

/** Whether the file was made with this mark in it, by nobody else before. */
async function claim(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(mark).finally(() => file.close());
    return (await readFile(path, 'utf8')) === mark;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    await rm(path, { force: true }).catch(() => undefined);
    throw new InputError(
      `${path} can't be written (${code ?? 'unknown'}). Make room, or give another folder by --out.`,
    );
  }
}
