import { createHash } from 'node:crypto';
import { copyFile, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceProfile } from '../../src/profile/format.ts';
import type { Scope } from '../../src/scopes.ts';
import type { KeptTime } from '../clock.ts';
import { makeFolder } from '../make-folder.ts';
import { DEFAULT_PROFILE, type Profile } from '../profile/switches.ts';
import type { KeyRecord, VisitRecord } from '../state/records.ts';
import { createState, type State } from '../state/state.ts';

/** Everything of a sandbox that outlives it, besides the stored files. */
export interface Saved {
  readonly state: State;
  readonly profile: Profile;
  readonly learned: ServiceProfile | null;
  readonly keys: readonly KeyRecord[];
  /** What secrets are made of, so that keys and addresses stay good. */
  readonly secretRoot: Uint8Array;
  readonly clock: KeptTime;
}

const FORMAT = 'docshare-sandbox';
const VERSION = 1;

const pathIn = (folder: string) => join(folder, 'state.json');
export const filesIn = (folder: string) => join(folder, 'files');

/** The text of a saved sandbox. */
export function writeState({ state, profile, learned, keys, secretRoot, clock }: Saved): string {
  const plain = Object.entries(state).map(([name, value]) => [
    name,
    value instanceof Map ? [...value] : value,
  ]);
  return JSON.stringify(
    {
      profile,
      ...(learned ? { learned } : {}),
      clock,
      secretRoot: Buffer.from(secretRoot).toString('hex'),
      keys: keys.map((key) => ({ ...key, scopes: [...key.scopes] })),
      state: {
        ...Object.fromEntries(plain),
        visits: [...state.visits].map(([id, visit]) => [id, { ...visit, dwell: [...visit.dwell] }]),
      },
    },
    null,
    1,
  );
}

/** Puts a saved sandbox in place in one move, for this user alone (keys stand in it): whoever reads it finds the old one or the new one, whole. */
export async function save(folder: string, text: string): Promise<void> {
  try {
    await writeWhole(folder, text);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const words = `The folder ${folder} can't be written (${code}): make room there, or give another one`;
    throw Object.assign(new Error(words, { cause: error }), { code });
  }
}

async function writeWhole(folder: string, text: string): Promise<void> {
  makeFolder(folder);
  const path = pathIn(folder);
  const header = { format: FORMAT, version: VERSION, sha256: hash(text) };
  const file = await open(`${path}.tmp`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(header)}\n${text}\n`);
    await file.sync();
  } catch (error) {
    // Half a file would take up the room that the next try needs.
    await rm(`${path}.tmp`, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
}

/**
 * What was saved in a folder; null where nothing was.
 *
 * @throws Error for a file that is damaged, of a newer format, or none of ours; it is left as it is
 */
export async function readSaved(folder: string): Promise<Saved | null> {
  const path = pathIn(folder);
  await expectKind(path, 'file');
  await expectKind(filesIn(folder), 'folder');
  const written = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${path} can't be read (${error.code ?? 'unknown'})`);
  });
  if (written === null) return null;
  const end = written.indexOf('\n');
  const text = written.slice(end + 1, -1);
  const header = parse(written.slice(0, end));
  const refuse = (why: string) => new Error(`${path} ${why}. It was left as it is.`);
  if (header?.['format'] !== FORMAT)
    throw refuse('is damaged, or no state of a sandbox: move it away to start anew');
  if (Number(header['version']) > VERSION)
    throw refuse(
      `was written by a newer sandbox (format ${header['version']}, this one knows ${VERSION}): update`,
    );
  if (header['sha256'] !== hash(text)) throw refuse('is damaged: move it away to start anew');
  return revive(parse(text) ?? {});
}

// The checksum says that this is what `writeState` wrote.
function revive(value: Record<string, unknown>): Saved {
  const { profile, learned, clock, secretRoot, keys, state } = value as {
    profile: Profile;
    learned?: ServiceProfile;
    clock: KeptTime;
    secretRoot: string;
    keys: (Omit<KeyRecord, 'scopes'> & { scopes: Scope[] })[];
    state: Record<string, unknown>;
  };
  const fields = Object.entries(createState(0)).map(([name, empty]) => {
    const stored = state[name] ?? empty;
    return [name, empty instanceof Map ? new Map(stored as [string, unknown][]) : stored];
  });
  const revived = Object.fromEntries(fields) as State;
  for (const [id, visit] of revived.visits)
    revived.visits.set(id, {
      ...visit,
      dwell: new Map(visit.dwell as Iterable<[number, number]>),
    } satisfies VisitRecord);
  return {
    // What an older sandbox kept has no setting for a newer switch.
    profile: { ...DEFAULT_PROFILE, ...profile },
    learned: learned ?? null,
    clock,
    state: revived,
    keys: keys.map((key) => ({ ...key, scopes: new Set(key.scopes) })),
    secretRoot: Buffer.from(secretRoot, 'hex'),
  };
}

/** @throws Error where something else lies there: a pipe would keep its reader for ever, and no file fits below a file. */
async function expectKind(path: string, kind: 'file' | 'folder'): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !(kind === 'file' ? found.isFile() : found.isDirectory()))
    throw new Error(`${path} is in the way: it is no ${kind}. Take it away.`);
}

/** Copies stored files to another folder, under the names they have. */
export async function copyFiles(names: Iterable<string>, from: string, to: string): Promise<void> {
  if (from === to) return;
  makeFolder(to);
  for (const name of names) await copyFile(join(from, name), join(to, name));
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
