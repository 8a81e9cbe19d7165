import type { ZObject } from 'zapier-platform-core';
import { z } from 'zod';
import { getTextFilters, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import {
  type Client,
  getTextField,
  getTitle,
  InputError,
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
import { normalizeText, stripAccents } from './normalize-text.ts';
import {
  fetchPage,
  getListFunction,
  getNextCursor,
  getPageCursor,
  getReadItems,
  isCursorInvalid,
  type ListFunction,
  type ListReading,
  type ReadLimits,
  readPages,
  readRemainingPages,
  SEARCH_LIMITS,
  throwIncompleteList,
  tryWithQuery,
} from './read-list.ts';
import type { RecordKind } from './record-kind.ts';

interface RecordSearch {
  readonly text: string;
  readonly isMatch: (item: JsonObject) => boolean;
  /** Tells apart searches for the same text that accept different records. */
  readonly variant?: unknown;
  /** True if a part of a name is enough. */
  readonly isPartial?: boolean;
  /** True if a record of this name may be no match, so the matches are not all of its name. */
  readonly isFiltered?: boolean;
  /** True if all records of a name are wanted, also those created since one was found. */
  readonly wantsAll?: boolean;
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
const FOUND_TTL_S = 10 * 60;
/** Ends the search in a list without an end. */
export const MAX_SEARCHED_ITEMS = 50_000;

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
  options: RecordSearch,
): Promise<SearchResult<{ items: readonly JsonObject[] }>> {
  const search = { ...options, isMatch: memoizeByItem(options.isMatch) };
  const list = getListFunction(kind, step.client);
  return continueSearch(kind, step, { ...search, list, start: () => readForSearch(kind, step, search) });
}

/** Compares each item only once, because a search looks through everything read so far after each page. */
function memoizeByItem(isMatch: (item: JsonObject) => boolean): (item: JsonObject) => boolean {
  const results = new WeakMap<JsonObject, boolean>();
  return (item) => {
    const result = results.get(item) ?? isMatch(item);
    results.set(item, result);
    return result;
  };
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
  const list = getListFunction(kind, step.client);
  const start = () => readPages(list, { ...SEARCH_LIMITS, isEnough });
  const result = await continueSearch(kind, step, { list, text: id, variant: 'id', isMatch, isEnough, start });
  if (result.kind !== 'found') return result;
  const [item = {}] = result.items;
  return { kind: 'found', item };
}

/**
 * Like `findById`, for callers that can do without the record: a list that can't be read counts as not searched.
 * @throws ThrottledError like `searchRecords`.
 */
export async function findIfReadable(
  kind: RecordKind,
  step: SearchStep,
  id: string,
): Promise<SearchResult<{ item: JsonObject }>> {
  return findById(kind, step, id).catch((error: unknown) => {
    if (error instanceof step.z.errors.ThrottledError) throw error;
    return { kind: 'not-fully-searched', reason: 'the list could not be read', read: 0 };
  });
}

/** Finds a record that a step names by its ID. @throws InputError if there is none, and like `findById`. */
export async function findRecord(kind: RecordKind, step: SearchStep, id: string): Promise<JsonObject> {
  const found = await findById(kind, step, id);
  if (found.kind === 'not-fully-searched') throwIncompleteList(`${kind.resource}s.list`, found);
  if (found.kind === 'found') return found.item;
  throw new InputError(
    `This ${kind.resource} was not found. Choose it from the list, or map its ID from an earlier step.`,
  );
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

const Place = z.custom<PageCursor>(isPageCursor);

const SearchState = z.object({
  from: Place,
  /** Last pages of the earlier runs that were not read again, since their cursor says nothing about positions. */
  ends: z.array(Place),
  /** Page of the first match. */
  place: Place.optional(),
  matches: z.array(z.record(z.string(), z.unknown())),
  read: z.number(),
  /** Length of the list when the search began, if the service tells it. */
  total: z.number().optional(),
});

/** Key for the page on which a text was found, so that the next search reads only that page. */
export function getFoundPageKey(platform: ZObject, { resource }: { readonly resource: string }, text: unknown): string {
  return `found-${resource}-${platform.hash('sha256', normalizeText(text))}`;
}

/** Starts a search, or continues the one that an earlier run stopped. */
export async function continueSearch(
  kind: { readonly resource: string },
  { z: platform }: Pick<SearchStep, 'z'>,
  search: RecordSearch & { readonly list: ListFunction; readonly start: () => Promise<ListReading> },
): Promise<SearchResult<{ items: readonly JsonObject[] }>> {
  const { list, isMatch, isEnough = () => false } = search;
  const cache = createConnectionCache(platform);
  const key = `search-${kind.resource}-${platform.hash('sha256', JSON.stringify([search.text, search.variant]))}`;
  const saved = SearchState.safeParse(await cache.get(key).catch(() => null)).data;
  const foundKey = getFoundPageKey(platform, kind, search.text);
  const isForAllOfName = !search.isPartial && !search.isFiltered;
  const known = Place.safeParse(isForAllOfName ? await cache.get(foundKey).catch(() => null) : null).data;
  const page = known && (await fetchPage(list, known).catch(() => undefined));
  const [knownItem, another] = page?.items.filter(isMatch) ?? [];
  if (knownItem && !another && (!search.wantsAll || isEnough([knownItem])))
    return { kind: 'found', items: [knownItem] };
  const continued = saved && (await readFrom(saved.from));
  const reading = continued ?? (await search.start());
  const next = getNextCursor(reading);
  const earlier = continued && saved ? saved : { ends: [], matches: [], read: 0, total: next?.total };
  const { total } = earlier;
  let items = mergeById(kind, earlier.matches, getReadItems(reading).filter(isMatch));
  const read = earlier.read + getReadItems(reading).length;
  const place = getPageCursor(items[0]) ?? saved?.place;
  const position = (saved?.from.read ?? 0) + getReadItems(reading).length;
  // Records that were created before this position count in the service's total, but are not read.
  const isAtEnd = continued && !next && total !== undefined && position >= total;
  if (reading.kind === 'whole' || isAtEnd || isEnough(items)) {
    if (continued && !isEnough(items)) items = mergeById(kind, items, await findMoved());
    if (saved) await cache.delete(key).catch(() => false);
    if (place && items.length === 1 && isForAllOfName) await cache.trySet(foundKey, place, FOUND_TTL_S);
    return items.length > 0 ? { kind: 'found', items } : { kind: 'not-found' };
  }
  // Records may move to an earlier page meanwhile, so the last one is read again. A link may hold a page number.
  const mayShift = next?.steps.some(({ by }) => by !== 'cursor' && by !== 'after-id') ?? false;
  const { lastCursor } = reading;
  const from = mayShift && lastCursor ? lastCursor : next;
  const ends = mayShift || !lastCursor ? earlier.ends : [...earlier.ends, lastCursor];
  if (
    from &&
    read < MAX_SEARCHED_ITEMS &&
    (await cache.trySet(key, { from, ends, ...(place && { place }), matches: items, read, total }, SEARCH_TTL_S))
  )
    throw new platform.errors.ThrottledError(
      `Your workspace has many ${kind.resource}s: ${read.toLocaleString('en-US')} were searched so far. Zapier continues the search in a minute.`,
      RESUME_DELAY_S,
    );
  return { kind: 'not-fully-searched', reason: reading.reason, read };

  /**
   * Reads the first page again, where records may have been created between the runs. If nothing was found, also the last
   * page of each run: if a record was deleted, the first record of the next page may have moved there.
   */
  async function findMoved(): Promise<JsonObject[]> {
    const found: JsonObject[] = [];
    for (const from of items.length > 0 ? [undefined] : [undefined, ...earlier.ends]) {
      const page = await fetchPage(list, from).catch((error: unknown) => {
        if (!isCursorInvalid(error)) throw error;
      });
      found.push(...(page?.items.filter(isMatch) ?? []));
    }
    return found;
  }

  /** Undefined if the place has expired: then the search starts over. Ignores the saved total: the list may have grown. */
  async function readFrom({ total: _, ...from }: PageCursor): Promise<ListReading | undefined> {
    const limits = {
      ...SEARCH_LIMITS,
      from,
      isEnough: (read: readonly JsonObject[]) => isEnough(read.filter(isMatch)),
    };
    const resumed = await readPages(list, limits).catch((error: unknown) => {
      if (isCursorInvalid(error)) return undefined;
      throw error;
    });
    return resumed?.kind === 'part' && !resumed.cursor && resumed.readItems.length === 0 ? undefined : resumed;
  }
}

/** Joins two readings of a list that overlap. */
function mergeById(
  { resource }: { readonly resource: string },
  first: readonly JsonObject[],
  second: readonly JsonObject[],
): JsonObject[] {
  const getKey = (item: JsonObject) => idOf(item, resource) ?? JSON.stringify(item);
  const known = new Set(first.map(getKey));
  return [...first, ...second.filter((item) => !known.has(getKey(item)))];
}

async function readForSearch(
  kind: RecordKind,
  { client, z: platform }: SearchStep,
  search: RecordSearch,
): Promise<ListReading> {
  const isEnough = (items: readonly JsonObject[]) => search.isEnough?.(items.filter(search.isMatch)) ?? false;
  const limits = { ...SEARCH_LIMITS, isEnough };
  const unfiltered = getListFunction(kind, client);
  let filtered: ListReading = { kind: 'whole', items: [] };
  for (const text of getSpellings(search.text)) {
    const reading = await fetchFiltered(unfiltered, { text, limits });
    if (reading === undefined) return readPages(unfiltered, limits);
    filtered = reading;
    if (getReadItems(filtered).some(search.isMatch) || isFilterIgnored(filtered, text)) return filtered;
    if (filtered.kind === 'part') break;
  }
  // A filter looks at names: an ID or a URL that it does not find may exist.
  if (/[\d/_]/.test(search.text) && !/[\s@]/.test(search.text)) return readPages(unfiltered, limits);
  const cache = createConnectionCache(platform);
  const subject = search.text.includes('@') ? 'email' : search.isPartial ? 'part' : 'name';
  const key = `filters-${kind.resource}-${subject}`;
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

/** A filter may compare a text literally, so it is also tried with single spaces, composed and without accents. */
function getSpellings(text: string): ReadonlySet<string> {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ');
  return new Set([text, plain, plain.normalize('NFD'), stripAccents(plain)]);
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
  const unique = names.filter(
    (candidate) => names.filter((other) => normalizeText(other) === normalizeText(candidate)).length === 1,
  );
  const probes = unique.flatMap((name) => {
    const plain = isEmail ? name : normalizeText(name);
    const text = writeInOtherCase(name, search.isPartial ? plain.slice(1, -1).trim() : plain, search.text);
    return text === undefined ? [] : [{ name, text }];
  });
  // A name with accents also shows whether the filter ignores them.
  const probe = probes.find(({ name }) => normalizeText(name) !== name.toLowerCase()) ?? probes[0];
  if (probe === undefined) return false;
  const found = await fetchFiltered(list, { text: probe.text });
  if (found === undefined || isFilterIgnored(found, probe.text)) return false;
  return getReadItems(found).some((item) => getSearchText(item) === probe.name);
}

/** Writes a part of a name in another case. Undefined if there is none; a search for a text without case needs none. */
function writeInOtherCase(name: string, part: string, searched: string): string | undefined {
  const [upper, lower] = [part.toUpperCase(), part.toLowerCase()];
  if (searched.toUpperCase() === searched.toLowerCase()) return part || undefined;
  return upper === lower ? undefined : [upper, lower].find((text) => !name.includes(text));
}
