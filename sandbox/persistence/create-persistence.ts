import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FileLock } from '../../src/lock-file.ts';
import type { Service } from '../state/service.ts';
import { getFilesFolder, type SavedState, type StateBytes, serializeState, writeStateFile } from './state-file.ts';

/** Collects further changes before a write. */
const SAVE_DELAY_MS = 100;

/** Tries to serialize a large state without a change meanwhile. */
const MAX_ATTEMPTS = 3;

export interface PersistentFolder {
  readonly folder: string;
  readonly lock: FileLock;
}

/** Saves a service to its folder, if it has one. */
export function createPersistence(service: Service, persistentFolder: PersistentFolder | undefined) {
  /** Checksum of what was written last. */
  let lastWritten = '';
  let changes = 0;
  let timer: NodeJS.Timeout | undefined;
  let pendingWrite: Promise<void> = Promise.resolve();
  let isClosed = false;
  let lastReportedError = '';

  /** Serializes the state of one moment; if it never stops changing, the next save replaces a mixture of two moments. */
  async function serialize(): Promise<StateBytes> {
    for (let attempt = 1; ; attempt++) {
      const before = changes;
      const { state, profile, serviceProfile, secretRoot } = service;
      const common = { keys: service.keys.all(), clock: service.clock.getState() };
      const saved = await serializeState({ state, profile, serviceProfile, secretRoot, ...common }, setImmediate);
      if (changes === before || attempt === MAX_ATTEMPTS) return saved;
    }
  }

  async function write(target: PersistentFolder): Promise<void> {
    const saved = await serialize();
    if (saved.sha256 === lastWritten) return;
    assertLockHeld(target);
    await writeStateFile(target.folder, saved);
    lastWritten = saved.sha256;
    lastReportedError = '';
  }

  /** Writes run one after the other. */
  function writeChanges(target: PersistentFolder): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    pendingWrite = pendingWrite.catch(() => undefined).then(() => write(target));
    return pendingWrite;
  }

  /** Reports a repeated error once. */
  function reportError({ message }: Error): void {
    if (message !== lastReportedError) process.stderr.write(`The state could not be saved: ${message}\n`);
    lastReportedError = message;
  }

  return {
    scheduleSave(): void {
      changes += 1;
      // After close, the folder may belong to another sandbox.
      if (persistentFolder === undefined || timer || isClosed) return;
      timer = setTimeout(() => writeChanges(persistentFolder).catch(reportError), SAVE_DELAY_MS);
    },
    restore(saved: SavedState): void {
      const { state, profile, serviceProfile } = saved;
      Object.assign(service, { state, profile, serviceProfile });
      service.keys.load(saved.keys);
      service.clock.restoreState(saved.clock);
    },
    /** Writes pending changes. */
    async close(): Promise<void> {
      isClosed = true;
      if (persistentFolder === undefined) return;
      await writeChanges(persistentFolder);
      assertLockHeld(persistentFolder);
      await removeOrphanFiles(getFilesFolder(persistentFolder.folder), new Set(service.state.files.values()));
    },
  };
}

/** @throws Error if the folder was removed or belongs to another sandbox, so that nothing is overwritten */
function assertLockHeld({ folder, lock }: PersistentFolder): void {
  if (!lock.isHeld())
    throw new Error(
      `${folder} or its lock was removed while the sandbox was running. Changes are no longer saved. Restart the sandbox.`,
    );
}

/** Removes files of records that were deleted, reset or never finished. */
async function removeOrphanFiles(folder: string, names: ReadonlySet<string>): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  for (const name of found) if (!names.has(name)) await rm(join(folder, name), { force: true });
}
