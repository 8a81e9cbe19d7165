import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FileLock } from '../../src/lock-file.ts';
import { lockFolder } from '../filesystem/folder-lock.ts';
import type { Service } from '../state/service.ts';
import {
  copyFiles,
  getFilesFolder,
  readSavedState,
  type SavedState,
  serializeState,
  writeStateFile,
} from './state-file.ts';

/** Collects further changes before a write. */
const SAVE_DELAY_MS = 100;

export interface PersistentFolder {
  readonly folder: string;
  readonly lock: FileLock;
}

/** Saves a service to a folder and loads it from one. */
export function createPersistence(service: Service, persistentFolder: PersistentFolder | undefined) {
  const folder = persistentFolder?.folder;
  /** Checksum of what was written last. */
  let lastWritten = '';
  let timer: NodeJS.Timeout | undefined;
  let pendingWrite: Promise<void> = Promise.resolve();
  let isClosed = false;
  let lastReportedError = '';

  const serialize = () =>
    serializeState({
      state: service.state,
      profile: service.profile,
      serviceProfile: service.serviceProfile,
      keys: service.keys.all(),
      secretRoot: service.secretRoot,
      clock: service.clock.getState(),
    });
  const getFileNames = () => service.state.files.values();

  /** Writes run one after the other and skip an unchanged state. */
  function writeChanges(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    pendingWrite = pendingWrite
      .catch(() => undefined)
      .then(async () => {
        if (persistentFolder === undefined) return;
        const state = serialize();
        if (state.sha256 === lastWritten) return;
        assertLockHeld(persistentFolder);
        await writeStateFile(persistentFolder.folder, state);
        lastWritten = state.sha256;
        lastReportedError = '';
      });
    return pendingWrite;
  }

  /** Reports a repeated error once. */
  function reportError({ message }: Error): void {
    if (message !== lastReportedError) process.stderr.write(`The state could not be saved: ${message}\n`);
    lastReportedError = message;
  }

  function restore(saved: SavedState): void {
    service.state = saved.state;
    service.profile = saved.profile;
    service.serviceProfile = saved.serviceProfile;
    service.keys.load(saved.keys);
    service.clock.restoreState(saved.clock);
  }

  return {
    /** Saves soon, if there is a folder. */
    scheduleSave(): void {
      // After close, the folder may belong to another sandbox.
      if (folder === undefined || timer || isClosed) return;
      timer = setTimeout(() => {
        writeChanges().catch(reportError);
      }, SAVE_DELAY_MS);
    },
    async save(target: string): Promise<void> {
      if (resolve(target) === folder) return writeChanges();
      const { release } = lockFolder(target);
      try {
        await copyFiles(getFileNames(), service.files.folder(), getFilesFolder(target));
        await writeStateFile(target, serialize());
      } finally {
        release();
      }
    },
    /** Reads a state from another folder and copies its files here. */
    async loadFrom(source: string): Promise<SavedState> {
      const saved = await readSavedState(source);
      if (!saved) throw new Error(`There is no saved state in ${source}`);
      await copyFiles(saved.state.files.values(), getFilesFolder(source), service.files.folder());
      return saved;
    },
    restore,
    /** Writes pending changes. */
    async close(): Promise<void> {
      isClosed = true;
      if (persistentFolder === undefined) return;
      await writeChanges();
      assertLockHeld(persistentFolder);
      await removeOrphanFiles(getFilesFolder(persistentFolder.folder), new Set(getFileNames()));
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
