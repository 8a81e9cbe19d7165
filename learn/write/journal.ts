import { createHmac } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from './atomic-file.ts';
import type { PendingCleanup } from './pending-cleanup.ts';

const Entry = z.object({
  docshareLearnJournal: z.literal(1),
  service: z.string(),
  pid: z.int(),
  marker: z.string().regex(/^docshare-learn-[0-9a-f]{12}$/),
  remainingPaths: z.array(z.string().regex(/^\/[\w~%.-]+\/[\w~%.:-]+$/)),
  unverifiedLists: z.array(z.string().regex(/^\/[\w-]+$/)),
  preexisting: z.array(z.string()),
  seal: z.string(),
});
type Entry = z.infer<typeof Entry>;

/** What a run has made and not yet removed, in a file: the next start removes what a run left that could not end itself. */
export interface Journal {
  readonly path: string;
  write(state: PendingCleanup): Promise<void>;
  delete(): Promise<void>;
}

const getFileName = (marker: string) => `.${marker}.json`;

interface JournalOwner {
  readonly service: string;
  readonly apiKey: string;
}

/** Holds paths of the learner's own objects and no value of the account, and never the key. */
export function createJournal(
  folder: string,
  { service, apiKey, marker }: JournalOwner & { readonly marker: string },
): Journal {
  const path = join(folder, getFileName(marker));
  return {
    path,
    async write({ remainingPaths, unverifiedLists, preexisting }) {
      const entry: Omit<Entry, 'seal'> = {
        docshareLearnJournal: 1,
        service,
        pid: process.pid,
        marker,
        remainingPaths: [...remainingPaths],
        unverifiedLists: [...unverifiedLists],
        preexisting: [...preexisting],
      };
      await writeFileAtomically(
        folder,
        getFileName(marker),
        `${JSON.stringify({ ...entry, seal: computeSeal(entry, apiKey) })}\n`,
      );
    },
    delete: () => deleteJournal(path),
  };
}

const JOURNAL_FILE_NAME = /^\.docshare-learn-[0-9a-f]{12}\.json$/;

/** Takes a journal away, and what a kill in the middle of writing it left beside it. */
export async function deleteJournal(path: string): Promise<void> {
  // Nothing but a journal is taken away, whatever is given.
  if (!JOURNAL_FILE_NAME.test(basename(path))) return;
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const tempFiles = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'));
  for (const name of [basename(path), ...tempFiles]) await rm(join(folder, name), { force: true });
}

export interface StaleJournal extends PendingCleanup {
  readonly marker: string;
  readonly path: string;
}

/** Only who has the key can say which objects are the learner's own: a file that lies in a folder may be anybody's. */
function computeSeal(
  { service, marker, remainingPaths, preexisting }: Omit<Entry, 'seal'>,
  apiKey: string,
): string {
  return createHmac('sha256', apiKey)
    .update(JSON.stringify([service, marker, remainingPaths, preexisting]))
    .digest('hex');
}

/**
 * What earlier runs of this service left in the folder; what a living process has made is its own affair. Without the seal
 * of this key no path counts, only the lists: what bears the marker there.
 */
export async function readStaleJournals(
  folder: string,
  { service, apiKey }: JournalOwner,
): Promise<StaleJournal[]> {
  const names = await readdir(folder).catch(() => []);
  const found: StaleJournal[] = [];
  for (const name of names.filter((one) => /^\.docshare-learn-[0-9a-f]{12}\.json$/.test(one))) {
    const path = join(folder, name);
    const entry = readEntry(await readFile(path, 'utf8').catch(() => ''));
    if (!entry || entry.service !== service || isProcessAlive(entry.pid)) continue;
    const { marker, remainingPaths, unverifiedLists, preexisting } = entry;
    const lists = remainingPaths.map((one) => `/${one.split('/')[1]}`);
    if (entry.seal === computeSeal(entry, apiKey))
      found.push({ marker, remainingPaths, unverifiedLists, preexisting, path });
    else
      found.push({
        marker,
        remainingPaths: [],
        unverifiedLists: [...new Set([...lists, ...unverifiedLists])],
        preexisting,
        path,
      });
  }
  return found;
}

function readEntry(text: string): Entry | undefined {
  try {
    return Entry.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Whether another process of this number runs. */
export function isProcessAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
