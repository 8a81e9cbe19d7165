import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Service } from '../service.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { copyFiles, filesIn, readSaved, type Saved, save, writeState } from './saved.ts';

/** How long a change waits for further ones before all are written. */
const SAVE_DELAY_MS = 100;

/** Keeps a service in a folder, and takes it over from one. */
export interface Keeper {
  /** Something may have changed: it is written soon, where a folder is kept. */
  touch(): void;
  save(folder: string): Promise<void>;
  /** What was saved elsewhere, its files brought here. */
  read(folder: string): Promise<Saved>;
  /** Takes over what was saved. */
  take(saved: Saved): void;
  /** Writes what was not written yet. */
  close(): Promise<void>;
}

/** The folder that is kept, and this sandbox's hold on it. */
export interface Kept {
  readonly folder: string;
  readonly lock: FolderLock;
}

export function createKeeper(service: Service, kept: Kept | undefined): Keeper {
  const folder = kept?.folder;
  let written = '';
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;
  let told = '';

  const serialize = () =>
    writeState({
      state: service.state,
      profile: service.profile,
      learned: service.learned,
      keys: service.keys.all(),
      secretRoot: service.secretRoot,
      clock: service.clock.kept(),
    });
  const getFileNames = () => service.state.files.values();

  /** One after the other, and nothing that stands there already. */
  function writeKept(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing
      .catch(() => undefined)
      .then(async () => {
        const text = serialize();
        if (kept === undefined || text === written) return;
        expectHeld(kept);
        await save(kept.folder, text);
        written = text;
        told = '';
      });
    return writing;
  }

  /** The same trouble with each change is told once. */
  function tell({ message }: Error): void {
    if (message !== told) process.stderr.write(`The state was not kept: ${message}\n`);
    told = message;
  }

  function take(saved: Saved): void {
    service.state = saved.state;
    service.profile = saved.profile;
    service.learned = saved.learned;
    service.keys.load(saved.keys);
    service.clock.resume(saved.clock);
  }

  return {
    touch() {
      // Once it is closed the folder may be another sandbox's: what ends late is written no more.
      if (folder === undefined || timer || isClosed) return;
      timer = setTimeout(() => {
        writeKept().catch(tell);
      }, SAVE_DELAY_MS);
    },
    async save(target) {
      if (resolve(target) === folder) return writeKept();
      const { release } = lockFolder(target);
      try {
        await copyFiles(getFileNames(), service.files.folder(), filesIn(target));
        await save(target, serialize());
      } finally {
        release();
      }
    },
    async read(source) {
      const saved = await readSaved(source);
      if (!saved) throw new Error(`Nothing was saved in ${source}`);
      await copyFiles(saved.state.files.values(), filesIn(source), service.files.folder());
      return saved;
    },
    take,
    async close() {
      isClosed = true;
      if (kept === undefined) return;
      await writeKept();
      expectHeld(kept);
      await dropOrphans(filesIn(kept.folder), new Set(getFileNames()));
    },
  };
}

/** @throws Error where the folder is another's by now, or nobody's: what lies there is not written over. */
function expectHeld({ folder, lock }: Kept): void {
  if (!lock.isHeld())
    throw new Error(
      `${folder} or its lock was taken away while the sandbox ran: nothing is kept there any more. Start it again.`,
    );
}

/** Files of what was deleted, reset or never finished. */
async function dropOrphans(folder: string, names: ReadonlySet<string>): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  for (const name of found) if (!names.has(name)) await rm(join(folder, name), { force: true });
}
