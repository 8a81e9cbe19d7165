import type { ZObject } from 'zapier-platform-core';
import { z as zod } from 'zod';
import {
  idOf,
  isPageCursor,
  type JsonObject,
  type PageCursor,
  RateLimitError,
  type SearchResult,
} from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { getStepRun } from '../platform/step-run.ts';
import { normalizeText } from './normalize-text.ts';
import {
  fetchPage,
  getPageCursor,
  isAtEnd,
  isCursorInvalid,
  LIMIT_REACHED,
  type ListFunction,
  type ListReading,
  readPages,
  SEARCH_LIMITS,
} from './read-list.ts';

export interface ListSearch {
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

type ResumableSearch = ListSearch & { readonly list: ListFunction; readonly start: () => Promise<ListReading> };

/** How long a list that is read over several runs counts as one reading. */
const SEARCH_TTL_S = 10 * 60;
const RESUME_DELAY_S = 60;
const FOUND_TTL_S = 10 * 60;
/** Ends the search in a list without an end. */
export const MAX_SEARCHED_ITEMS = 50_000;

const Place = zod.custom<PageCursor>(isPageCursor);
/** The first page of a list has no cursor. */
const FIRST_PAGE = 'first';
const FoundPlace = Place.or(zod.literal(FIRST_PAGE));
type FoundPlace = zod.infer<typeof FoundPlace>;

const SearchState = zod.object({
  from: Place,
  /** Last page of each earlier run whose next cursor may encode a position; read again if nothing is found. */
  ends: zod.array(Place),
  /** Page of the first match. */
  place: FoundPlace.optional(),
  matches: zod.array(zod.record(zod.string(), zod.unknown())),
  read: zod.number(),
  /** Length of the list when the search began, if the service reports it. */
  total: zod.number().optional(),
});
type SearchState = zod.infer<typeof SearchState>;

/** Key for the page on which a text was found, so that the next search reads only that page. */
export function getFoundPageKey(z: ZObject, { resource }: { readonly resource: string }, text: unknown): string {
  return `found-${resource}-${z.hash('sha256', normalizeText(text))}`;
}

/** Starts a search, or continues the one that an earlier run stopped. */
export async function continueSearch(
  kind: { readonly resource: string },
  { z }: { readonly z: ZObject },
  search: ResumableSearch,
): Promise<SearchResult<{ items: readonly JsonObject[] }>> {
  const { isMatch, isEnough = () => false } = search;
  const cache = createConnectionCache(z);
  const foundKey = search.isPartial || search.isFiltered ? undefined : getFoundPageKey(z, kind, search.text);
  const known = foundKey && (await findOnPage(search, await cache.get(foundKey)));
  if (known) return { kind: 'found', items: [known] };

  const key = `search-${kind.resource}-${z.hash('sha256', JSON.stringify([search.text, search.variant]))}`;
  const saved = SearchState.safeParse(await cache.get(key)).data;
  const continued = saved && (await resume(search, saved.from));
  const earlier = continued ? saved : undefined;
  const reading = continued ?? (await search.start());
  const { readItems } = reading;
  let items = mergeById(kind, earlier?.matches ?? [], readItems.filter(isMatch));
  const place = getPlace(items[0], reading, earlier);

  let next = getNextState(reading, earlier);
  const read = (earlier?.read ?? 0) + readItems.length;
  if (reading.kind === 'whole' || (earlier && isAtEnd(reading, earlier)) || isEnough(items)) {
    const canRead = () => getStepRun(z).remainingReadMs() > 0;
    const moved = earlier && !isEnough(items) ? await findMoved(search, earlier, { items, canRead }) : undefined;
    items = mergeById(kind, items, moved?.found ?? []);
    if (!earlier || !moved?.unread) {
      if (saved) await cache.delete(key);
      if (place && items.length === 1 && foundKey) await cache.trySet(foundKey, place, FOUND_TTL_S);
      return items.length > 0 ? { kind: 'found', items } : { kind: 'not-found' };
    }
    next = { from: reading.lastCursor ?? earlier.from, ends: moved.unread, total: earlier.total };
  }

  if (
    next &&
    read < MAX_SEARCHED_ITEMS &&
    (await cache.trySet(key, { ...next, ...(place && { place }), matches: items, read }, SEARCH_TTL_S))
  )
    throw new z.errors.ThrottledError(
      `Your workspace has many ${kind.resource}s: ${read.toLocaleString('en-US')} were searched so far. Zapier continues the search in a minute.`,
      RESUME_DELAY_S,
    );
  return { kind: 'not-fully-searched', reason: reading.kind === 'part' ? reading.reason : LIMIT_REACHED, read };
}

/** Page of a match. Undefined for a list of one page, which needs no memory. */
function getPlace(
  match: JsonObject | undefined,
  { lastCursor }: ListReading,
  earlier: SearchState | undefined,
): FoundPlace | undefined {
  if (!match) return undefined;
  return getPageCursor(match) ?? earlier?.place ?? (lastCursor && FIRST_PAGE);
}

/** Returns the only match on the page of an earlier match, if that is all that is wanted. */
async function findOnPage(
  { list, isMatch, wantsAll, isEnough = () => false }: ResumableSearch,
  savedPlace: unknown,
): Promise<JsonObject | undefined> {
  const { data: place } = FoundPlace.safeParse(savedPlace);
  const page = place && (await fetchPage(list, place === FIRST_PAGE ? undefined : place).catch(() => undefined));
  const [match, another] = page?.items.filter(isMatch) ?? [];
  return match && !another && (!wantsAll || isEnough([match])) ? match : undefined;
}

/** Undefined if the place has expired: then the search starts over. Ignores the saved total: the list may have grown. */
async function resume(
  { list, isMatch, isEnough = () => false }: ResumableSearch,
  { total: _, ...from }: PageCursor,
): Promise<ListReading | undefined> {
  const limits = { ...SEARCH_LIMITS, from, isEnough: (read: readonly JsonObject[]) => isEnough(read.filter(isMatch)) };
  const resumed = await readPages(list, limits).catch((error: unknown) => {
    if (isCursorInvalid(error)) return undefined;
    throw error;
  });
  return resumed?.kind === 'part' && !resumed.cursor && resumed.readItems.length === 0 ? undefined : resumed;
}

/**
 * Reads the first page again, where records may have been created between the runs. If nothing was found, also the last page
 * of each run: if a record was deleted, the first record of the next page may have moved there. If the time or the rate
 * limit ends, the next run reads the `unread` pages.
 */
async function findMoved(
  { list, isMatch }: ResumableSearch,
  { ends }: SearchState,
  { items, canRead }: { items: readonly JsonObject[]; canRead: () => boolean },
): Promise<{ found: JsonObject[]; unread?: PageCursor[] }> {
  const found: JsonObject[] = [];
  const unread = items.length > 0 ? [] : [...ends];
  for (let isLast = false; !isLast; unread.shift()) {
    isLast = unread.length === 0;
    if (!canRead()) return { found, unread };
    try {
      found.push(...(await fetchPage(list, unread[0])).items.filter(isMatch));
    } catch (error) {
      if (error instanceof RateLimitError) return { found, unread };
      if (!isCursorInvalid(error)) throw error;
    }
  }
  return { found };
}

/** Returns the place at which the next run continues; undefined if the list can't be read further. */
function getNextState(reading: ListReading, earlier: SearchState | undefined) {
  const { cursor: next, lastCursor } = reading;
  if (!next) return undefined;
  const { ends = [], total = next.total } = earlier ?? {};
  // Records may move to an earlier page meanwhile, so the last one is read again. A link may hold a page number.
  const mayShift = next.steps.some(({ by }) => by !== 'cursor' && by !== 'after-id');
  return mayShift
    ? { from: lastCursor ?? next, ends, total }
    : { from: next, ends: lastCursor ? [...ends, lastCursor] : ends, total };
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
