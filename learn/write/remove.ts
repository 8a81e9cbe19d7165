import { setTimeout as sleep } from 'node:timers/promises';
import { getCandidates } from '../../src/answer/envelope.ts';
import { idOf, isObject } from '../../src/answer/fields.ts';
import { ApiError, DocshareError, IncompleteListError } from '../../src/errors.ts';
import type { Client } from '../../src/index.ts';
import { catalogue } from '../../src/operations/index.ts';
import { bearsMarker } from './bears-marker.ts';
import type { Open } from './open.ts';

/** So many entries of a list are searched for what a lost answer may have made. */
const MAX_SEARCHED_ENTRIES = 2000;

/**
 * Removes what was made, the last first, and what stands under the marker in the lists in doubt.
 * @returns the paths that could not be removed, and the lists in doubt in which nothing was found.
 */
export async function removeAll(
  client: Client,
  { open, doubts, spared, marker }: Open & { readonly marker: string },
  { waitsMs = [0] }: { waitsMs?: readonly number[] } = {},
): Promise<{ left: string[]; unfound: string[] }> {
  const left: string[] = [];
  const unfound: string[] = [];
  for (const path of open.toReversed()) if (!(await removeOne(client, path))) left.push(path);
  // Newest first: a link shows a document that goes after it.
  for (const list of [...new Set(doubts)].toReversed()) {
    let found = 0;
    for (const waitMs of waitsMs) {
      // A request that was cut may still be at work.
      await sleep(waitMs);
      const paths = (await searchFor(client, { list, marker })).filter((path) => !spared.includes(path));
      found += paths.length;
      for (const path of paths) if (!(await removeOne(client, path))) left.push(path);
    }
    if (found === 0) unfound.push(list);
  }
  return { left: [...new Set(left)], unfound };
}

/** Whether it is gone: removed now, or not there any more. */
export async function removeOne(client: Client, path: string): Promise<boolean> {
  try {
    await client.request({ method: 'DELETE', path }, { retries: 4, deadlineMs: 120_000 });
    return true;
  } catch (error) {
    if (!(error instanceof DocshareError)) throw error;
    return error instanceof ApiError && [404, 410].includes(error.status);
  }
}

/** Paths of entries that bear the marker. */
export async function searchFor(
  client: Client,
  { list, marker, most = MAX_SEARCHED_ENTRIES }: { list: string; marker: string; most?: number },
): Promise<string[]> {
  const group = list.slice(1);
  const isListed = group in catalogue && 'list' in catalogue[group as 'links'];
  if (!isListed) return [];
  const found: string[] = [];
  try {
    for (const entry of await client[group as 'links'].list().collect(most)) collect(entry);
  } catch (error) {
    if (error instanceof IncompleteListError) for (const entry of error.items ?? []) collect(entry);
    else if (!(error instanceof DocshareError)) throw error;
  }
  function collect(entry: unknown): void {
    const id = idOf(entry, group.replace(/s$/, ''));
    if (id !== undefined && !isDots(id) && bearsMarker(entry, { group, marker }))
      found.push(`${list}/${encodeURIComponent(id)}`);
  }
  return found;
}

/** The id of what an answer is about. */
export function idIn(json: unknown, group: string): string | undefined {
  if (!isObject(json) && !Array.isArray(json)) return undefined;
  for (const reading of getCandidates(json, group)) {
    const id = idOf(reading, group.replace(/s$/, ''));
    if (id !== undefined && !isDots(id)) return id;
  }
  return undefined;
}

/** It would climb the path, to the list itself. */
function isDots(id: string): boolean {
  return id === '.' || id === '..';
}
