import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../service.ts';
import { lockFolder } from './folder-lock.ts';
import { copyFiles, filesIn, readSaved, type Saved, save, writeState } from './saved.ts';

/** How long a change waits for further ones before all are written. */
const GATHER_MS = 100;

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

export function createKeeper(service: Service, folder: string | undefined): Keeper {
  let written = '';
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const textOf = () =>
    writeState({
      state: service.state,
      profile: service.profile,
      learned: service.learned,
      keys: service.keys.all(),
      secretRoot: service.secretRoot,
      clock: service.clock.kept(),
    });
  const namesOf = () => service.state.files.values();

  /** One after the other, and nothing that stands there already. */
  function writeKept(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing
      .catch(() => undefined)
      .then(async () => {
        const text = textOf();
        if (folder === undefined || text === written) return;
        await save(folder, text);
        written = text;
      });
    return writing;
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
        writeKept().catch((error: Error) =>
          process.stderr.write(`The state was not kept: ${error.message}\n`),
        );
      }, GATHER_MS);
    },
    async save(target) {
      if (target === folder) return writeKept();
      const unlock = lockFolder(target);
      try {
        await copyFiles(namesOf(), service.files.folder(), filesIn(target));
        await save(target, textOf());
      } finally {
        unlock();
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
      if (folder === undefined) return;
      await writeKept();
      await dropOrphans(filesIn(folder), new Set(namesOf()));
    },
  };
}

/** Files of what was deleted, reset or never finished. */
async function dropOrphans(folder: string, names: ReadonlySet<string>): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  for (const name of found) if (!names.has(name)) await rm(join(folder, name), { force: true });
}
