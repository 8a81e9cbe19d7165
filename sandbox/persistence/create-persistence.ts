import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileLock } from '../../src/lock-file.ts';
import type { Service } from '../state/service.ts';
import { getFilesFolder, type SavedState, serializeState, writeStateFile } from './state-file.ts';

/** Collects further changes before a write. */
const SAVE_DELAY_MS = 100;

export interface PersistentFolder {
  readonly folder: string;
  readonly lock: FileLock;
}

/** Saves a service to its folder, if it has one. */
export function createPersistence(service: Service, persistentFolder: PersistentFolder | undefined) {
  /** Checksum of what was written last. */
  let lastWritten = '';
  let timer: NodeJS.Timeout | undefined;
  let pendingWrite: Promise<void> = Promise.resolve();
  let isClosed = false;
  let lastReportedError = '';

  async function write(target: PersistentFolder): Promise<void> {
    const { state, profile, serviceProfile, secretRoot } = service;
    const keys = service.keys.all();
    const saved = serializeState({ state, profile, serviceProfile, keys, secretRoot, clock: service.clock.getState() });
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
