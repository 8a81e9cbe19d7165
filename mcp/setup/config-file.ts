import { type FileHandle, lstat, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeFolder } from '../make-folder.ts';
import { SetupError } from './setup-error.ts';

/** What stands in a host's file now. */
export interface ConfigFile {
  /** As its owner calls it. */
  readonly name: string;
  /** Where its bytes are: behind all links. */
  readonly path: string;
  /** Undefined: there is no such file yet. */
  readonly text: string | undefined;
  readonly mode: number;
}

/** A host's file is small; what is larger was not written by one. */
const MOST_BYTES = 50 * 1024 * 1024;
const LOCK_WAIT_MS = 5000;
const LOCK_STALE_MS = 30_000;
const BOM = '\uFEFF';

/** The copy of the file as it was before the setup first touched it. */
export function getBackupPath(path: string): string {
  return `${path}.before-docshare`;
}

/** @throws SetupError for what is no readable text file. */
export async function readConfig(name: string): Promise<ConfigFile> {
  const path = await pathBehind(name);
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new SetupError(`${name} is not a file. Nothing was changed.`);
    if (facts.size > MOST_BYTES)
      throw new SetupError(`${name} is too large to be settings. Nothing was changed.`);
    return { name, path, text: decode(await readFile(path), name), mode: facts.mode & 0o777 };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { name, path, text: undefined, mode: 0o600 };
    if (error instanceof SetupError) throw error;
    throw new SetupError(`${name} can't be read (${codeOf(error)}). Nothing was changed.`);
  }
}

async function pathBehind(name: string): Promise<string> {
  try {
    return await realpath(name);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      throw new SetupError(`${name} can't be reached (${codeOf(error)}). Nothing was changed.`);
    const isLink = await lstat(name).then(
      (facts) => facts.isSymbolicLink(),
      () => false,
    );
    if (isLink)
      throw new SetupError(
        `${name} is a link to a file that is not there. Nothing was changed: mend the link first.`,
      );
    // The folder may be a link all the same.
    const folder = await realpath(dirname(name)).catch(() => dirname(name));
    return join(resolve(folder), basename(name));
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SetupError(
      `${name} is not UTF-8 text. Nothing was changed: save it as UTF-8, then run this again.`,
    );
  }
}

/** The text behind its byte order mark, which is no part of JSON, and the mark. */
export function splitBom(text: string): { bom: string; body: string } {
  return text.startsWith(BOM) ? { bom: BOM, body: text.slice(1) } : { bom: '', body: text };
}

export interface ConfigChange {
  /** Undefined: the file goes. */
  readonly text: string | undefined;
  /** What is kept beside it; undefined: no copy is made. */
  readonly backup?: string | undefined;
  /** The copy is not needed any more. */
  readonly dropBackup?: boolean;
}

/**
 * Reads the file, asks what it should be and puts that in its place in one move, with the same owner and rights. Whoever
 * else runs this waits; what another program wrote meanwhile is not lost: then it begins anew.
 * @returns false where nothing had to be changed.
 */
export async function updateConfig(
  name: string,
  decide: (now: ConfigFile) => ConfigChange | undefined | Promise<ConfigChange | undefined>,
): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const now = await readConfig(name);
    const change = await decide(now);
    if (!change) return false;
    checkWritable(now);
    const done = await locked(now, async () => {
      const again = await readConfig(name);
      if (again.text !== now.text || again.path !== now.path) return false;
      if (change.backup !== undefined) await put(getBackupPath(now.path), change.backup, now);
      if (change.text === undefined) await rm(now.path);
      else await put(now.path, change.text, now);
      if (change.dropBackup) await rm(getBackupPath(now.path), { force: true });
      return true;
    });
    if (done) return true;
  }
  throw new SetupError(`${name} is being changed by another program. Close the host, then run this again.`);
}

/** A move would replace a file that nobody may write to; its owner meant something by that. */
function checkWritable({ name, text, mode }: ConfigFile): void {
  if (text !== undefined && (mode & 0o200) === 0)
    throw new SetupError(
      `${name} is read-only. Nothing was changed: allow writing to it, then run this again.`,
    );
}

async function locked<T>(file: ConfigFile, work: () => Promise<T>): Promise<T> {
  const lock = `${file.path}.docshare-lock`;
  const handle = await takeLock(lock, file);
  try {
    return await work();
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`${file.name} can't be written (${codeOf(error)}). Nothing was changed.`);
  } finally {
    await handle.close();
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string, file: ConfigFile): Promise<FileHandle> {
  const giveUpAt = performance.now() + LOCK_WAIT_MS;
  const refusal = (error: unknown) =>
    new SetupError(`${dirname(file.path)} can't be written to (${codeOf(error)}). Nothing was changed.`);
  try {
    makeFolder(dirname(lock));
  } catch (error) {
    throw refusal(error);
  }
  for (;;) {
    try {
      return await open(lock, 'wx', 0o600);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw refusal(error);
      const age = await stat(lock).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > LOCK_STALE_MS) await rm(lock, { force: true });
      else if (performance.now() > giveUpAt)
        throw new SetupError(
          `Another setup is at work on ${file.name} (${lock}). Nothing was changed: run this again.`,
        );
      else await setTimeout(50);
    }
  }
}

/** One move: a reader sees the old file or the new one, and a full disk leaves the old. */
async function put(path: string, text: string, like: ConfigFile): Promise<void> {
  // Of one name: what a setup that was killed left here goes with the next one, and a key may stand in it.
  const next = `${path}.docshare-new`;
  await rm(next, { force: true });
  try {
    const file = await open(next, 'wx', like.mode);
    try {
      await file.writeFile(text);
      // The mode above is cut by the umask.
      await file.chmod(like.mode);
      const facts = await stat(like.path).catch(() => undefined);
      // Run by an administrator, it still belongs to its person.
      if (facts) await file.chown(facts.uid, facts.gid).catch(() => undefined);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
