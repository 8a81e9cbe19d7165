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
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Serializes a state in Node's own format, which keeps maps and sets. */
export function serializeState(saved: SavedState): StateBytes {
  const bytes = serialize(saved);
  return { bytes, sha256: sha256Hex(bytes) };
}

/** Writes the state atomically, readable only by this user because it contains keys. */
export async function writeStateFile(folder: string, { bytes, sha256 }: StateBytes): Promise<void> {
  const path = getStatePath(folder);
  const tempPath = `${path}.tmp`;
  try {
    createPrivateFolder(folder);
    const file = await open(tempPath, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ format: FORMAT, version: VERSION, sha256 })}\n`);
      await file.writeFile(bytes);
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
  const end = file.indexOf('\n');
  const bytes = file.subarray(end + 1);
  const header = parseHeader(file.subarray(0, end).toString());
  const createError = (why: string) => new Error(`${path} ${why}. It was not changed.`);
  if (header?.['format'] !== FORMAT) throw createError('is damaged or not a sandbox state: move it away to start over');
  if (Number(header['version']) > VERSION)
    throw createError(
      `was written by a newer sandbox (format ${header['version']}, this one supports ${VERSION}): update the sandbox`,
    );
  if (header['sha256'] !== sha256Hex(bytes)) throw createError('is damaged: move it away to start over');
  // The checksum proves that `writeStateFile` wrote this value. One of an older version lacks newer switches and records.
  const saved = deserialize(bytes) as SavedState;
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
