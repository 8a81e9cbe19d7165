import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, DocshareError, IncompleteListError } from '../../src/errors.ts';
import type { Client } from '../../src/index.ts';
import { catalog } from '../../src/operations/index.ts';
import { idOf, isObject } from '../../src/records/fields.ts';
import { getObjectCandidates } from '../../src/response/unwrap-envelope.ts';
import { hasMarker } from './has-marker.ts';

/** Objects that have to be removed. */
export interface PendingCleanup {
  /** Paths of created objects below the base URL, oldest first. */
  readonly remainingPaths: readonly string[];
  /** Lists that may have a created object whose ID is unknown. */
  readonly unverifiedLists: readonly string[];
  /** Paths of objects that existed before: never removed, whatever their name is now. */
  readonly preexisting: readonly string[];
}

const MAX_SEARCHED_ENTRIES = 2000;

/**
 * Removes the created objects, newest first, and marked objects in the unverified lists.
 * @returns the paths that could not be removed, and the unverified lists without a marked object.
 */
export async function removeAll(
  client: Client,
  { remainingPaths, unverifiedLists, preexisting, marker }: PendingCleanup & { readonly marker: string },
  { searchDelaysMs = [0] }: { searchDelaysMs?: readonly number[] } = {},
): Promise<{ unremoved: string[]; listsWithoutMatch: string[] }> {
  const unremoved: string[] = [];
  const listsWithoutMatch: string[] = [];
  for (const path of remainingPaths.toReversed()) if (!(await removeOne(client, path))) unremoved.push(path);
  // Newest first: a link must go before its document.
  for (const list of [...new Set(unverifiedLists)].toReversed()) {
    let found = 0;
    for (const delayMs of searchDelaysMs) {
      // The service may still be processing a cut request.
      await sleep(delayMs);
      const paths = await findMarkedPaths(client, { list, marker, preexisting });
      found += paths.length;
      for (const path of paths) if (!(await removeOne(client, path))) unremoved.push(path);
    }
    if (found === 0) listsWithoutMatch.push(list);
  }
  return { unremoved: [...new Set(unremoved)], listsWithoutMatch };
}

/** Removes one object. Returns whether it is gone. */
export async function removeOne(client: Client, path: string): Promise<boolean> {
  try {
    await client.request({ method: 'DELETE', path }, { retries: 4, deadlineMs: 120_000 });
    return true;
  } catch (error) {
    if (!(error instanceof DocshareError)) throw error;
    return error instanceof ApiError && [404, 410].includes(error.status);
  }
}

/** Returns the paths of list items that have the marker and did not exist before. */
export async function findMarkedPaths(
  client: Client,
  search: { list: string; marker: string; preexisting: readonly string[]; maxEntries?: number },
): Promise<string[]> {
  const { list, marker, preexisting, maxEntries = MAX_SEARCHED_ENTRIES } = search;
  const group = list.slice(1);
  const hasList = group in catalog && 'list' in catalog[group as 'links'];
  if (!hasList) return [];
  const found: string[] = [];
  try {
    for (const entry of await client[group as 'links'].list().collect(maxEntries)) addIfMarked(entry);
  } catch (error) {
    if (error instanceof IncompleteListError) for (const entry of error.items ?? []) addIfMarked(entry);
    else if (!(error instanceof DocshareError)) throw error;
  }
  function addIfMarked(entry: unknown): void {
    const id = idOf(entry, group.replace(/s$/, ''));
    if (id !== undefined && !isDotSegment(id) && hasMarker(entry, { group, marker }))
      found.push(`${list}/${encodeURIComponent(id)}`);
  }
  return found.filter((path) => !preexisting.includes(path));
}

/** Returns the ID of the object in a response. */
export function extractId(json: unknown, group: string): string | undefined {
  if (!isObject(json) && !Array.isArray(json)) return undefined;
  for (const reading of getObjectCandidates(json, group)) {
    const id = idOf(reading, group.replace(/s$/, ''));
    if (id !== undefined && !isDotSegment(id)) return id;
  }
  return undefined;
}

/** A dot segment as an ID would make the path point to the list. */
function isDotSegment(id: string): boolean {
  return id === '.' || id === '..';
}
