import type { ZObject } from 'zapier-platform-core';
import { z } from 'zod';
import { getTextFilters, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import {
  type Client,
  getTextField,
  getTitle,
  idOf,
  isPageCursor,
  type JsonObject,
  NotFoundError,
  type PageCursor,
  PermissionError,
  type SearchResult,
  ValidationError,
} from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { normalizeText } from './normalize-text.ts';
import {
  fetchPage,
  getNextCursor,
  getReadItems,
  isCursorInvalid,
  type ListFunction,
  type ListReading,
  listRecords,
  type ReadLimits,
  readPages,
  readRemainingPages,
  SEARCH_LIMITS,
  tryWithQuery,
} from './read-list.ts';
import type { RecordKind } from './record-kind.ts';

interface RecordSearch {
  readonly text: string;
  readonly isMatch: (item: JsonObject) => boolean;
  /** Tells apart searches for the same text that accept different records. */
  readonly variant?: unknown;
  /** True if the matches so far are all that is wanted (default: only the whole list is). */
  readonly isEnough?: (matches: readonly JsonObject[]) => boolean;
}

interface SearchStep {
  readonly client: Client;
  readonly z: ZObject;
}

const FILTER_SUPPORT_TTL_S = 10 * 60;
/** How long a list that is read over several runs counts as one reading. */
const SEARCH_TTL_S = 10 * 60;
const RESUME_DELAY_S = 60;
/** Ends the search in a list without an end. */
const MAX_SEARCHED_ITEMS = 50_000;

/**
 * Finds matching records in the result of the service's filter, or else in the list.
 *
 * A filter's matches are trusted. An empty result counts only once the filter has found a known record, written in other
 * case; a service that ignores the filter returns the list itself.
 * @throws ThrottledError if the list is longer than one run can read: the replay continues at that place.
 */
export async function searchRecords(
  kind: RecordKind,
  step: SearchStep,
  search: RecordSearch,
): Promise<SearchResult<{ items: readonly JsonObject[] }>> {
  return continueSearch(kind, step, { ...search, start: () => readForSearch(kind, step, search) });
}

/** Finds a record by its ID, with one request if the API has one for it (§4). @throws ThrottledError like `searchRecords`. */
export async function findById(
  kind: RecordKind,
  step: SearchStep,
  id: string,
): Promise<SearchResult<{ item: JsonObject }>> {
  const single = await fetchById(kind, step.client, id);
  if (single) return { kind: 'found', item: single };
  const isMatch = (item: JsonObject) => idOf(item, kind.resource) === id;
  const isEnough = (items: readonly JsonObject[]) => items.some(isMatch);
  const start = () => readPages(listRecords(kind, step.client), { ...SEARCH_LIMITS, isEnough });
  const result = await continueSearch(kind, step, { text: id, variant: 'id', isMatch, isEnough, start });
  if (result.kind !== 'found') return result;
  const [item = {}] = result.items;
  return { kind: 'found', item };
}

/** Undefined for a text that is not an ID of this kind, and if the API has no call for one record (§4). */
export async function fetchById(kind: RecordKind, client: Client, id: string): Promise<JsonObject | undefined> {
  if (kind.resource !== 'document' && kind.resource !== 'template') return undefined;
  try {
    const item = await client[`${kind.resource}s`].get({ id });
    return idOf(item, kind.resource) === id ? item : undefined;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ValidationError || error instanceof PermissionError)
      return undefined;
    throw error;
  }
}

const SearchState = z.object({
  from: z.custom<PageCursor>(isPageCursor),
  matches: z.array(z.record(z.string(), z.unknown())),
  read: z.number(),
});

/** Starts a search, or continues the one that an earlier run stopped. */
async function continueSearch(
  kind: RecordKind,
  { client, z: platform }: SearchStep,
  search: RecordSearch & { readonly start: () => Promise<ListReading> },
): Promise<SearchResult<{ items: readonly JsonObject[] }>> {
  const { isMatch, isEnough = () => false } = search;
  const cache = createConnectionCache(platform);
  const key = `search-${kind.resource}-${platform.hash('sha256', JSON.stringify([search.text, search.variant]))}`;
  const saved = SearchState.safeParse(await cache.get(key).catch(() => null)).data;
  const continued =
    saved &&
    (await readPages(listRecords(kind, client), {
      ...SEARCH_LIMITS,
      from: saved.from,
      isEnough: (items) => isEnough(items.filter(isMatch)),
    }).catch((error: unknown) => {
      // The list changed: the search starts over.
      if (isCursorInvalid(error)) return undefined;
      throw error;
    }));
  const reading = continued ?? (await search.start());
  const earlier = continued && saved ? saved : { matches: [], read: 0 };
  const items = [...earlier.matches, ...getReadItems(reading).filter(isMatch)];
  const read = earlier.read + getReadItems(reading).length;
  const cursor = getNextCursor(reading);
  if (reading.kind === 'whole' || isEnough(items)) {
    if (saved) await cache.delete(key).catch(() => false);
    return items.length > 0 ? { kind: 'found', items } : { kind: 'not-found' };
  }
  if (
    cursor &&
    read < MAX_SEARCHED_ITEMS &&
    (await cache.trySet(key, { from: cursor, matches: items, read }, SEARCH_TTL_S))
  )
    throw new platform.errors.ThrottledError(
      `Your workspace has many ${kind.resource}s: ${read.toLocaleString('en-US')} were searched so far. Zapier continues the search in a minute.`,
      RESUME_DELAY_S,
    );
  return { kind: 'not-fully-searched', reason: reading.reason, read };
}

async function readForSearch(
  kind: RecordKind,
  { client, z: platform }: SearchStep,
  search: RecordSearch,
): Promise<ListReading> {
  const isEnough = (items: readonly JsonObject[]) => search.isEnough?.(items.filter(search.isMatch)) ?? false;
  const limits = { ...SEARCH_LIMITS, isEnough };
  const unfiltered = listRecords(kind, client);
  const filtered = await fetchFiltered(unfiltered, { text: search.text, limits });
  if (filtered === undefined) return readPages(unfiltered, limits);
  if (getReadItems(filtered).some(search.isMatch) || isFilterIgnored(filtered, search.text)) return filtered;
  const cache = createConnectionCache(platform);
  const key = `filters-${kind.resource}${search.text.includes('@') ? '-email' : ''}`;
  if ((await cache.get(key).catch(() => null)) !== null) return filtered;
  const firstPage = await fetchPage(unfiltered);
  if (
    firstPage.items.length > 0 &&
    firstPage.cursor &&
    (await isFilterSupported(unfiltered, { items: firstPage.items, search }))
  ) {
    await cache.set(key, 1, FILTER_SUPPORT_TTL_S).catch(() => null);
    return filtered;
  }
  return readRemainingPages(unfiltered, firstPage, limits);
}

/** Undefined if the service rejects the filter. */
function fetchFiltered(
  list: ListFunction,
  { text, limits }: { text: string; limits?: ReadLimits },
): Promise<ListReading | undefined> {
  return tryWithQuery(list, getTextFilters(text), (filteredList) => readPages(filteredList, limits));
}

/** True if a record does not contain the text at all. */
function isFilterIgnored(reading: ListReading, text: string): boolean {
  return getReadItems(reading).some((item) => !normalizeText(JSON.stringify(item)).includes(normalizeText(text)));
}

/** Tries the filter with a known text of the same kind: a service may filter by name, but not by e-mail. */
async function isFilterSupported(
  list: ListFunction,
  { items, search }: { items: readonly JsonObject[]; search: RecordSearch },
): Promise<boolean> {
  const isEmail = search.text.includes('@');
  const getSearchText = (item: JsonObject) => (isEmail ? getTextField(item, RECORD_FIELDS.email) : getTitle(item));
  const names = items.flatMap((item) => getSearchText(item) ?? []);
  const name = names.find(
    (candidate) => names.filter((other) => normalizeText(other) === normalizeText(candidate)).length === 1,
  );
  if (name === undefined) return false;
  const found = await fetchFiltered(list, { text: name.toUpperCase() });
  if (found === undefined || isFilterIgnored(found, name)) return false;
  return getReadItems(found).some((item) => getSearchText(item) === name);
}
