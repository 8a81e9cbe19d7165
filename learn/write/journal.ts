import { createHmac } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { isProcessAlive } from '../../src/process-liveness.ts';
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

/** File with the objects that a run has created and not yet removed. The next run removes what a killed run left. */
export type Journal = ReturnType<typeof createJournal>;

const getFileName = (marker: string) => `.${marker}.json`;

interface JournalOwner {
  readonly service: string;
  readonly apiKey: string;
}

/** Creates a journal. It holds paths of created objects, but no values of the account and never the API key. */
export function createJournal(folder: string, { service, apiKey, marker }: JournalOwner & { readonly marker: string }) {
  const path = join(folder, getFileName(marker));
  return {
    path,
    async write({ remainingPaths, unverifiedLists, preexisting }: PendingCleanup): Promise<void> {
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

/** Deletes a journal and its temporary files. Ignores paths that are not a journal. */
export async function deleteJournal(path: string): Promise<void> {
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

/** Signs a journal with the API key, because anybody may have put the file there. */
function computeSeal({ service, marker, remainingPaths, preexisting }: Omit<Entry, 'seal'>, apiKey: string): string {
  return createHmac('sha256', apiKey)
    .update(JSON.stringify([service, marker, remainingPaths, preexisting]))
    .digest('hex');
}

/**
 * Reads the journals of ended runs for this service. Without a valid seal the paths are not trusted: only objects with the
 * marker are searched for in their lists.
 */
export async function readStaleJournals(folder: string, { service, apiKey }: JournalOwner): Promise<StaleJournal[]> {
  const names = await readdir(folder).catch(() => []);
  const found: StaleJournal[] = [];
  for (const name of names.filter((one) => JOURNAL_FILE_NAME.test(one))) {
    const path = join(folder, name);
    const entry = readEntry(await readFile(path, 'utf8').catch(() => ''));
    if (!entry || entry.service !== service) continue;
    if (entry.pid !== process.pid && isProcessAlive(entry.pid)) continue;
    const { marker, remainingPaths, unverifiedLists, preexisting, seal } = entry;
    const lists = remainingPaths.map((one) => `/${one.split('/')[1]}`);
    const allLists = [...new Set([...lists, ...unverifiedLists])];
    found.push(
      seal === computeSeal(entry, apiKey)
        ? { marker, remainingPaths, unverifiedLists, preexisting, path }
        : { marker, remainingPaths: [], unverifiedLists: allLists, preexisting, path },
    );
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
