import { lstat, open, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPrivateFolder } from '../../src/create-private-folder.ts';
import { replaceFile } from '../../src/move-file.ts';
import { getSystemErrorCode } from '../error-code.ts';
import { SetupError } from './setup-error.ts';

export type ConfigFile = Awaited<ReturnType<typeof readConfig>>;

export interface ConfigChange {
  /** Undefined deletes the file. */
  readonly text: string | undefined;
  /** Text to save as a copy beside the file, if any. */
  readonly backup?: string | undefined;
  readonly removeBackup?: boolean;
}

const BOM = '\uFEFF';
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_ATTEMPTS = 5;
/** Another setup writes for milliseconds, so a lock that is older belongs to one that was killed. */
const STALE_LOCK_MS = 5000;
const LOCK_POLL_MS = 50;

/** Path of the copy made before the first change. */
export function getBackupPath(path: string): string {
  return `${path}.before-docshare`;
}

/**
 * Returns the current content of a host's settings file.
 * @param name the path as the user knows it
 * @returns `path` of the file itself, with all symbolic links followed; `text` without the byte order mark (`mark`), which
 * is not part of JSON, or undefined if the file does not exist yet
 * @throws SetupError if the file exists but is not a readable UTF-8 text file.
 */
export async function readConfig(name: string) {
  const path = await followLinks(name);
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new SetupError(`${name} is not a file. Nothing was changed.`);
    if (facts.size > MAX_BYTES) throw new SetupError(`${name} is too large for a settings file. Nothing was changed.`);
    const content = decode(await readFile(path), name);
    const mark = content.startsWith(BOM) ? BOM : '';
    return { name, path, text: content.slice(mark.length), mark, mode: facts.mode & 0o777 };
  } catch (error) {
    if (error instanceof SetupError) throw error;
    if (getSystemErrorCode(error) === 'ENOENT') return { name, path, text: undefined, mark: '', mode: 0o600 };
    throw new SetupError(`${name} can't be read (${getSystemErrorCode(error)}). Nothing was changed.`);
  }
}

async function followLinks(name: string): Promise<string> {
  try {
    return await realpath(name);
  } catch (error) {
    if (getSystemErrorCode(error) !== 'ENOENT')
      throw new SetupError(`${name} can't be reached (${getSystemErrorCode(error)}). Nothing was changed.`);
    const facts = await lstat(name).catch(() => undefined);
    if (facts?.isSymbolicLink())
      throw new SetupError(
        `${name} is a link to a file that does not exist. Nothing was changed: repair the link, then run this again.`,
      );
    // The folder can be a link even if the file does not exist.
    const folder = await realpath(dirname(name)).catch(() => dirname(name));
    return join(resolve(folder), basename(name));
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SetupError(`${name} is not UTF-8 text. Nothing was changed: save it as UTF-8, then run this again.`);
  }
}

/**
 * Reads the file, lets `decide` choose the change, and applies it atomically, with the same owner and mode. If another
 * program changes the file in the meantime, it starts again from the new text.
 * @returns false if nothing had to be changed.
 */
export async function updateConfig(
  name: string,
  decide: (now: ConfigFile) => ConfigChange | undefined | Promise<ConfigChange | undefined>,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const now = await readConfig(name);
    const change = await decide(now);
    if (!change) return false;
    if (await apply(change, now)) return true;
  }
  throw new SetupError(`${name} is being changed by another program. Close the host, then run this again.`);
}

/** @returns false if the file changed since it was read; nothing is written then. */
async function apply({ text, backup, removeBackup }: ConfigChange, now: ConfigFile): Promise<boolean> {
  // A rename would replace a file that its owner has protected.
  if (now.text !== undefined && (now.mode & 0o200) === 0)
    throw new SetupError(`${now.name} is read-only. Nothing was changed: allow writing to it, then run this again.`);
  const { path } = now;
  const next = await createLock(now);
  try {
    const again = await readConfig(now.name);
    if (again.text !== now.text || again.path !== path) return false;
    if (backup !== undefined) await writeLike(now, getBackupPath(path), backup);
    if (text === undefined) await rm(path);
    else {
      await writeLike(now, next, text);
      await replaceFile(next, path);
    }
    if (removeBackup) await rm(getBackupPath(path), { force: true });
    return true;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`${now.name} can't be written (${getSystemErrorCode(error)}). Nothing was changed.`);
  } finally {
    await rm(next, { force: true });
  }
}

/** Creates the new file, which is also the lock against a second setup; one that a killed setup left is replaced. */
async function createLock({ name, path }: ConfigFile): Promise<string> {
  const next = `${path}.docshare-new`;
  const denied = (error: unknown) =>
    new SetupError(`${dirname(path)} can't be written to (${getSystemErrorCode(error)}). Nothing was changed.`);
  try {
    createPrivateFolder(dirname(path));
  } catch (error) {
    throw denied(error);
  }
  for (let waited = 0; waited <= 2 * STALE_LOCK_MS; waited += LOCK_POLL_MS) {
    try {
      await (await open(next, 'wx', 0o600)).close();
      return next;
    } catch (error) {
      if (getSystemErrorCode(error) !== 'EEXIST') throw denied(error);
    }
    const facts = await stat(next).catch(() => undefined);
    if (facts && Date.now() - facts.mtimeMs > STALE_LOCK_MS) await rm(next, { force: true });
    else await setTimeout(LOCK_POLL_MS);
  }
  throw new SetupError(`Another setup is changing ${name}. Nothing was changed: run this again later.`);
}

/** Writes a file with the mode and the owner of the settings file. */
async function writeLike({ path, mark, mode }: ConfigFile, target: string, text: string): Promise<void> {
  const file = await open(target, 'w', 0o600);
  try {
    await file.writeFile(mark + text);
    await file.chmod(mode);
    const facts = await stat(path).catch(() => undefined);
    // Run by an administrator, the file still belongs to its user.
    if (facts) await file.chown(facts.uid, facts.gid).catch(() => undefined);
    await file.sync();
  } finally {
    await file.close();
  }
}
