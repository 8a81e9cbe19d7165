import { createHash } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { createPrivateFolder } from '../../src/create-private-folder.ts';
import { replaceFile } from '../../src/move-file.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { ClockState } from '../base/clock.ts';
import { DEFAULT_PROFILE, type SandboxProfile } from '../profile/switches.ts';
import type { KeyRecord } from '../state/records.ts';
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

const getStatePath = (folder: string) => join(folder, 'state.bin');
export const getFilesFolder = (folder: string) => join(folder, 'files');

/** A serialized state; equal states have equal checksums. */
export interface StateBytes {
  readonly parts: readonly Uint8Array[];
  readonly sha256: string;
}

/** Records per part, so that a part blocks requests for a few milliseconds only. */
const PART_RECORDS = 1000;

type MapPart = readonly [name: string, entries: readonly (readonly [string, unknown])[]];

/** Serializes a state in Node's own format, which keeps maps and sets. After each part, `pause` lets requests run. */
export async function serializeState(saved: SavedState, pause: () => Promise<void>): Promise<StateBytes> {
  const parts: Uint8Array[] = [];
  const hash = createHash('sha256');
  for (const part of splitState(saved)) {
    const bytes = serialize(part);
    hash.update(bytes);
    parts.push(bytes);
    await pause();
  }
  return { parts, sha256: hash.digest('hex') };
}

/** The records come first: if requests change them meanwhile, the counters of the last part are not older. */
function* splitState(saved: SavedState): Generator<MapPart | SavedState> {
  const maps = Object.entries<unknown>(saved.state).filter(
    (field): field is [string, Map<string, unknown>] => field[1] instanceof Map,
  );
  for (const [name, map] of maps) {
    let entries: [string, unknown][] = [];
    for (const entry of map) {
      entries.push(entry);
      if (entries.length < PART_RECORDS) continue;
      yield [name, entries];
      entries = [];
    }
    yield [name, entries];
  }
  const emptyMaps = Object.fromEntries(maps.map(([name]) => [name, new Map()]));
  yield { ...saved, state: { ...saved.state, ...emptyMaps } };
}

function joinState(parts: readonly unknown[]): SavedState {
  const saved = parts.at(-1) as SavedState;
  for (const [name, entries] of parts.slice(0, -1) as MapPart[]) {
    const map = saved.state[name as keyof State] as Map<string, unknown>;
    for (const [id, record] of entries) map.set(id, record);
  }
  return saved;
}

/** Writes the state atomically, readable only by this user because it contains keys. */
export async function writeStateFile(folder: string, { parts, sha256 }: StateBytes): Promise<void> {
  const path = getStatePath(folder);
  const tempPath = `${path}.tmp`;
  try {
    createPrivateFolder(folder);
    const file = await open(tempPath, 'w', 0o600);
    try {
      const lengths = parts.map(({ byteLength }) => byteLength);
      await file.writeFile(`${JSON.stringify({ format: FORMAT, version: VERSION, sha256, lengths })}\n`);
      for (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await replaceFile(tempPath, path);
  } catch (error) {
    // A partial file would take the space that the next try needs.
    await rm(tempPath, { force: true }).catch(() => undefined);
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const message = `The folder ${folder} can't be written (${code}). Free space there or choose another folder`;
    throw Object.assign(new Error(message, { cause: error }), { code });
  }
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
  const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${path} can't be read (${error.code ?? 'unknown'})`);
  });
  if (file === null) return null;
  const headerEnd = file.indexOf('\n');
  const bytes = file.subarray(headerEnd + 1);
  const header = parseHeader(file.subarray(0, headerEnd).toString());
  const createError = (why: string) => new Error(`${path} ${why}. It was not changed.`);
  if (header?.['format'] !== FORMAT) throw createError('is damaged or not a sandbox state: move it away to start over');
  if (Number(header['version']) > VERSION)
    throw createError(
      `was written by a newer sandbox (format ${header['version']}, this one supports ${VERSION}): update the sandbox`,
    );
  if (header['sha256'] !== sha256Hex(bytes)) throw createError('is damaged: move it away to start over');
  // The checksum proves that `writeStateFile` wrote this value. One of an older version lacks newer switches and records.
  let start = 0;
  const lengths = header['lengths'] as readonly number[];
  const parts = lengths.map((length) => {
    start += length;
    return deserialize(bytes.subarray(start - length, start));
  });
  const saved = joinState(parts);
  return { ...saved, profile: { ...DEFAULT_PROFILE, ...saved.profile }, state: { ...createState(0), ...saved.state } };
}

/** @throws Error if the path is something else: reading a pipe would block forever */
async function assertFileKind(path: string, kind: 'file' | 'folder'): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !(kind === 'file' ? found.isFile() : found.isDirectory()))
    throw new Error(`${path} exists but is not a ${kind}. Remove it and try again.`);
}

function parseHeader(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
