import { MAX_PAGE_SIZE } from '../../src/assumptions/index.ts';
import { RateLimitError, ServerError } from '../../src/errors.ts';
import type { Page, PageCursor } from '../../src/index.ts';
import { idOf, type JsonObject } from '../../src/records/fields.ts';
import { hashCanonicalJson } from '../canonical-json.ts';
import type { FilteredBy } from './cursor.ts';
import type { ListFilter } from './list-filter.ts';
import { isRejectedQuery, isSamePage, type ListSource } from './query-support.ts';
import { redactSecretFields } from './redact-secrets.ts';

export interface ReadPosition {
  readonly query: JsonObject;
  readonly from: PageCursor | undefined;
  readonly skip: number;
  readonly by: FilteredBy;
  /** Items read before; undefined if the list was not read from its start. */
  readonly read: number | undefined;
  /** Fingerprints of items that were returned before their place in the list; see `ReadStart.early`. */
  readonly returned?: string[] | undefined;
}

export const READ_TIMEOUT_MS = 20_000;

interface ReadBudget {
  readonly maxPages: number;
  /** Returns false if the item does not fit; reading then continues with it in the next call. */
  readonly accept: (item: JsonObject) => boolean;
  /** Called before each further page, to avoid waiting for the rate limit. */
  readonly mayFetchNext: () => boolean;
  readonly onPage?: (read: number, total: number | undefined) => void;
}

/** How reading ended. `whole`: at the end of the list; `fromStart`: it was read from its start. */
type FilteredReadEnd =
  | { readonly kind: 'whole'; readonly fromStart: boolean }
  /** At the budget, or by an error: it can be continued. */
  | { readonly kind: 'paused'; readonly next: ReadPosition; readonly failure?: unknown }
  /** The service does not return the rest. */
  | { readonly kind: 'incomplete'; readonly reason: string };

/** Passes matching items to `accept`, page by page within the budget. Throws only if the first page fails. */
export async function readFiltered(
  source: ListSource,
  {
    filter,
    query,
    position,
    limits,
    prefetched,
  }: {
    filter: ListFilter;
    query: JsonObject;
    position?: ReadPosition;
    limits: ReadBudget;
    prefetched?: FilteredPage | undefined;
  },
) {
  const deadline = Date.now() + READ_TIMEOUT_MS;
  const start = position
    ? { ...position, page: await source.fetch(position.query, position.from) }
    : await startReading(source, { filter, query, prefetched });
  const { by } = start;
  const first = { page: start.page, query: start.query };
  let { page, from, skip } = start;
  let [read, undated] = [0, 0];
  const returned = [...(start.returned ?? [])];
  const getTotalRead = () => (start.read ?? 0) + read;
  const toPosition = (location: { from: PageCursor | undefined; skip: number }): ReadPosition => ({
    ...{ query: start.query, by },
    ...location,
    read: start.read === undefined ? undefined : getTotalRead(),
    returned,
  });
  /** `undated`: number of items left out because they have no date; `total`: number of items of the list, if known. */
  const finish = (end: FilteredReadEnd) => ({ by, undated, first, read: getTotalRead(), total: page.total, end });

  for (const item of 'early' in start ? start.early.slice(0, MAX_EARLY) : []) {
    const clean = redactSecretFields(item);
    if (filter.matches(clean) === true && limits.accept(clean)) returned.push(fingerprint(item));
  }
  for (let pages = 1; ; pages += 1) {
    for (const [index, item] of page.items.entries()) {
      if (index < skip) continue;
      if (returned.length > 0 && returned.includes(fingerprint(item))) {
        read += 1;
        continue;
      }
      // Filtering must not reveal redacted values.
      const clean = redactSecretFields(item);
      const isMatch = filter.matches(clean);
      if (isMatch && !limits.accept(clean)) return finish({ kind: 'paused', next: toPosition({ from, skip: index }) });
      read += 1;
      if (isMatch === undefined) undated += 1;
    }
    limits.onPage?.(getTotalRead(), page.total);
    const { cursor } = page;
    if (!cursor)
      return finish(
        page.complete
          ? { kind: 'whole', fromStart: start.read !== undefined }
          : { kind: 'incomplete', reason: page.incompleteReason },
      );
    [from, skip] = [cursor, 0];
    const next = toPosition({ from, skip });
    if (pages >= limits.maxPages || Date.now() > deadline || !limits.mayFetchNext())
      return finish({ kind: 'paused', next });
    try {
      page = await source.fetch(start.query, cursor);
    } catch (failure) {
      return finish({ kind: 'paused', next, failure });
    }
  }
}

/** Maximum items that are returned before their place in the list, because cursors remember them. */
const MAX_EARLY = 20;

function fingerprint(item: JsonObject): string {
  return hashCanonicalJson({ item: idOf(item) ?? item }).slice(0, 6);
}

interface ReadStart extends ReadPosition {
  readonly page: Page<JsonObject>;
  /** Items that the service found by its own rule, which is not this server's: they may be far down the list. */
  readonly early: readonly JsonObject[];
}

/** How a list treats a filter: `differs`: it filters, but by another rule than this server. */
type FilterBehavior = 'supports' | 'ignores' | 'differs';

function getSubject({ operation }: ListSource, { criteria }: ListFilter): string {
  return `${operation} filter ${Object.keys(criteria).sort().join(' ')}`;
}

/**
 * Fetches the first page that the service has filtered. `isTrusted`: it is known to filter like this server. Undefined if
 * it ignores the filter, or fails on its parameters.
 */
export async function fetchFilteredPage(
  source: ListSource,
  filter: ListFilter,
  query: JsonObject = {},
): Promise<{ page: Page<JsonObject>; query: JsonObject; isTrusted: boolean } | undefined> {
  const subject = getSubject(source, filter);
  const behavior = source.behaviorCache.get(subject);
  if (behavior === 'ignores') return undefined;
  const filteredQuery = { ...filter.params, ...withLargePages(source, query) };
  try {
    const page = await source.fetch(filteredQuery);
    const isTrusted = behavior === 'supports' && page.items.every((item) => filter.matches(item) === true);
    return { page, query: filteredQuery, isTrusted };
  } catch (error) {
    if (error instanceof RateLimitError) return undefined;
    if (!isRejectedQuery(error) && !(error instanceof ServerError)) throw error;
    source.behaviorCache.set(subject, 'ignores');
    return undefined;
  }
}

/**
 * Fetches the first page, filtered by the service if it is found to support that. Takes at most one extra request, and
 * none if the list has one page, the result is cached, or the caller has fetched that page.
 */
async function startReading(
  source: ListSource,
  { filter, query, prefetched }: { filter: ListFilter; query: JsonObject; prefetched?: FilteredPage | undefined },
): Promise<ReadStart> {
  const { behaviorCache } = source;
  const subject = getSubject(source, filter);
  const start = { from: undefined, skip: 0, read: 0, early: [] };
  const isKnown = behaviorCache.get(subject) === 'supports';
  const first = prefetched ?? (isKnown ? await fetchFilteredPage(source, filter, query) : undefined);
  if (first?.isTrusted) return { ...start, page: first.page, query: first.query, by: 'service' };
  const { page, sentQuery } = await fetchFirstPage(source, query);
  const unfiltered: ReadStart = { ...start, page, query: sentQuery, by: 'server' };
  if (!page.cursor) return unfiltered;
  const filtered = first ?? (await fetchFilteredPage(source, filter, query));
  if (!filtered) return unfiltered;
  const behavior = evaluateFilter({ unfilteredPage: page, filteredPage: filtered.page, filter });
  if (behavior !== undefined) behaviorCache.set(subject, behavior);
  if (behavior === 'supports') return { ...start, page: filtered.page, query: filtered.query, by: 'service' };
  return behavior === 'ignores' ? unfiltered : { ...unfiltered, early: filtered.page.items };
}

/** A page that `fetchFilteredPage` has returned. */
export type FilteredPage = NonNullable<Awaited<ReturnType<typeof fetchFilteredPage>>>;

/** Returns undefined if the pages don't tell. */
function evaluateFilter(pages: {
  unfilteredPage: Page<JsonObject>;
  filteredPage: Page<JsonObject>;
  filter: ListFilter;
}): FilterBehavior | undefined {
  const { unfilteredPage, filteredPage, filter } = pages;
  const matchesAll = ({ items }: Page<JsonObject>) => items.every((item) => filter.matches(item) === true);
  // If all items match, so would any page, even of a list that changes by itself.
  if (matchesAll(unfilteredPage)) return undefined;
  if (isSamePage(unfilteredPage, filteredPage)) return 'ignores';
  if (!matchesAll(filteredPage)) return 'differs';
  const expected = unfilteredPage.items.filter((item) => filter.matches(item) === true);
  const found = new Set(filteredPage.items.map((item) => JSON.stringify(item)));
  const isWhole = filteredPage.complete && !filteredPage.cursor;
  if (isWhole && expected.some((item) => !found.has(JSON.stringify(item)))) return 'differs';
  // An empty page proves nothing: the service may filter by something else.
  return filteredPage.items.length > 0 ? 'supports' : undefined;
}

async function fetchFirstPage(source: ListSource, query: JsonObject) {
  const sentQuery = withLargePages(source, query);
  try {
    return { page: await source.fetch(sentQuery), sentQuery };
  } catch (error) {
    if (!isRejectedQuery(error) || sentQuery === query) throw error;
    const page = await source.fetch(query);
    source.behaviorCache.set(`${source.operation} large pages`, 'rejected');
    return { page, sentQuery: query };
  }
}

function withLargePages({ operation, behaviorCache, getPageSizeQuery }: ListSource, query: JsonObject): JsonObject {
  if (behaviorCache.get(`${operation} large pages`) === 'rejected') return query;
  return { ...getPageSizeQuery(MAX_PAGE_SIZE), ...query };
}
