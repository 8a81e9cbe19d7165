import { createHash } from 'node:crypto';
import { copyFile, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { makeFolder } from '../../src/make-folder.ts';
import { replaceFile } from '../../src/move-file.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { Scope } from '../../src/scopes.ts';
import type { ClockState } from '../base/clock.ts';
import { DEFAULT_PROFILE, type SandboxProfile } from '../profile/switches.ts';
import type { KeyRecord, VisitRecord } from '../state/records.ts';
import { createState, type State } from '../state/state.ts';

/** Everything saved besides the stored files. */
export interface SavedState {
  readonly state: State;
  readonly profile: SandboxProfile;
  readonly serviceProfile: ServiceProfile | null;
  readonly keys: readonly KeyRecord[];
  /** Secrets derive from it, so that keys and URLs stay valid. */
  readonly secretRoot: Uint8Array;
  readonly clock: ClockState;
}

const FORMAT = 'docshare-sandbox';
const VERSION = 1;

const getStatePath = (folder: string) => join(folder, 'state.json');
export const getFilesFolder = (folder: string) => join(folder, 'files');

/** Entries that are serialized without a pause. */
const ENTRIES_PER_PART = 200;

/** A serialized state, in parts because a large one takes too long to serialize at once. */
export interface StateText {
  readonly parts: readonly string[];
  readonly sha256: string;
}

/**
 * Serializes a state and lets other work run in between. Returns undefined as soon as `isStale` says that the state has
 * changed meanwhile.
 */
export async function serializeState(saved: SavedState, isStale?: () => boolean): Promise<StateText | undefined> {
  const parts: string[] = [];
  const hash = createHash('sha256');
  for (const part of serializeParts(saved)) {
    parts.push(part);
    hash.update(part);
    if (!isStale) continue;
    await setImmediate();
    if (isStale()) return undefined;
  }
  return { parts, sha256: hash.digest('hex') };
}

function* serializeParts(saved: SavedState): Generator<string> {
  const { state, profile, serviceProfile, keys, secretRoot, clock } = saved;
  const head = {
    profile,
    ...(serviceProfile ? { serviceProfile } : {}),
    clock,
    secretRoot: Buffer.from(secretRoot).toString('hex'),
    keys: keys.map((key) => ({ ...key, scopes: [...key.scopes] })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"state":{`;
  for (const [index, [name, value]] of Object.entries(state).entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (value instanceof Map) yield* serializeEntries(value);
    else yield JSON.stringify(value);
  }
  yield '}}';
}

function* serializeEntries(map: ReadonlyMap<unknown, unknown>): Generator<string> {
  let entries: unknown[] = [];
  let separator = '[';
  const take = () => {
    const part = JSON.stringify(entries, (_, value: unknown) => (value instanceof Map ? [...value] : value));
    const text = `${separator}${part.slice(1, -1)}`;
    separator = ',';
    entries = [];
    return text;
  };
  for (const entry of map) {
    entries.push(entry);
    if (entries.length === ENTRIES_PER_PART) yield take();
  }
  if (entries.length > 0 || separator === '[') yield take();
  yield ']';
}

/** Writes the state atomically, readable only by this user because it contains keys. */
export async function writeStateFile(folder: string, text: StateText): Promise<void> {
  try {
    await writeFileAtomically(folder, text);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const message = `The folder ${folder} can't be written (${code}). Free space there or choose another folder`;
    throw Object.assign(new Error(message, { cause: error }), { code });
  }
}

async function writeFileAtomically(folder: string, { parts, sha256 }: StateText): Promise<void> {
  makeFolder(folder);
  const path = getStatePath(folder);
  const header = { format: FORMAT, version: VERSION, sha256 };
  const file = await open(`${path}.tmp`, 'w', 0o600);
  try {
    await file.writeFile([`${JSON.stringify(header)}\n`, ...parts, '\n']);
    await file.sync();
  } catch (error) {
    // A partial file would take the space that the next try needs.
    await rm(`${path}.tmp`, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  await replaceFile(`${path}.tmp`, path);
}

/**
 * Reads the state saved in a folder; null if there is none.
 *
 * @throws Error for a damaged, newer or foreign file, which stays unchanged
 */
export async function readSavedState(folder: string): Promise<SavedState | null> {
  const path = getStatePath(folder);
  await assertFileKind(path, 'file');
  await assertFileKind(getFilesFolder(folder), 'folder');
  const fileText = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${path} can't be read (${error.code ?? 'unknown'})`);
  });
  if (fileText === null) return null;
  const end = fileText.indexOf('\n');
  const text = fileText.slice(end + 1, -1);
  const header = parse(fileText.slice(0, end));
  const createError = (why: string) => new Error(`${path} ${why}. It was not changed.`);
  if (header?.['format'] !== FORMAT) throw createError('is damaged or not a sandbox state: move it away to start over');
  if (Number(header['version']) > VERSION)
    throw createError(
      `was written by a newer sandbox (format ${header['version']}, this one supports ${VERSION}): update the sandbox`,
    );
  if (header['sha256'] !== sha256Hex(text)) throw createError('is damaged: move it away to start over');
  return deserializeState(parse(text) ?? {});
}

// The checksum proves that `writeStateFile` wrote this value.
function deserializeState(value: Record<string, unknown>): SavedState {
  const { profile, serviceProfile, clock, secretRoot, keys, state } = value as {
    profile: SandboxProfile;
    serviceProfile?: ServiceProfile;
    clock: ClockState;
    secretRoot: string;
    keys: (Omit<KeyRecord, 'scopes'> & { scopes: Scope[] })[];
    state: Record<string, unknown>;
  };
  const fields = Object.entries(createState(0)).map(([name, empty]) => {
    const stored = state[name] ?? empty;
    return [name, empty instanceof Map ? new Map(stored as [string, unknown][]) : stored];
  });
  const restoredState = Object.fromEntries(fields) as State;
  for (const [id, visit] of restoredState.visits)
    restoredState.visits.set(id, {
      ...visit,
      dwell: new Map(visit.dwell as Iterable<[number, number]>),
    } satisfies VisitRecord);
  return {
    // A state saved by an older version lacks newer switches.
    profile: { ...DEFAULT_PROFILE, ...profile },
    serviceProfile: serviceProfile ?? null,
    clock,
    state: restoredState,
    keys: keys.map((key) => ({ ...key, scopes: new Set(key.scopes) })),
    secretRoot: Buffer.from(secretRoot, 'hex'),
  };
}

/** @throws Error if the path is something else: reading a pipe would block forever */
async function assertFileKind(path: string, kind: 'file' | 'folder'): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !(kind === 'file' ? found.isFile() : found.isDirectory()))
    throw new Error(`${path} exists but is not a ${kind}. Remove it and try again.`);
}

/** Copies stored files to another folder under the same names. */
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

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
