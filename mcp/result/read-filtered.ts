import { MAX_PAGE_SIZE } from '../../src/assumptions/index.ts';
import { RateLimitError, ServerError } from '../../src/errors.ts';
import type { Page, PageCursor } from '../../src/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
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
}

export const READ_TIMEOUT_MS = 20_000;

export interface ReadBudget {
  readonly maxPages: number;
  /** Returns false if the item does not fit; reading then continues with it in the next call. */
  readonly accept: (item: JsonObject) => boolean;
  /** Called before each further page, to avoid waiting for the rate limit. */
  readonly mayFetchNext: () => boolean;
  readonly onPage?: (read: number, total: number | undefined) => void;
}

/** How reading ended. `whole`: at the end of the list; `fromStart`: it was read from its start. */
export type ReadingEnd =
  | { readonly kind: 'whole'; readonly fromStart: boolean }
  /** At the budget, or by an error: it can be continued. */
  | { readonly kind: 'paused'; readonly next: ReadPosition; readonly failure?: unknown }
  /** The service does not return the rest. */
  | { readonly kind: 'incomplete'; readonly reason: string };

export type FilteredRead = Awaited<ReturnType<typeof readFiltered>>;

/** Passes matching items to `accept`, page by page within the budget. Throws only if the first page fails. */
export async function readFiltered(
  source: ListSource,
  {
    filter,
    query,
    position,
    limits,
  }: { filter: ListFilter; query: JsonObject; position?: ReadPosition; limits: ReadBudget },
) {
  const deadline = Date.now() + READ_TIMEOUT_MS;
  const start = position
    ? { ...position, page: await source.fetch(position.query, position.from) }
    : await startReading(source, { filter, query });
  const { by } = start;
  const first = { page: start.page, query: start.query };
  let { page, from, skip } = start;
  let [read, undated] = [0, 0];
  const getTotalRead = () => (start.read ?? 0) + read;
  const toPosition = (location: { from: PageCursor | undefined; skip: number }): ReadPosition => ({
    ...{ query: start.query, by },
    ...location,
    read: start.read === undefined ? undefined : getTotalRead(),
  });
  /** `undated`: number of items left out because they have no date. */
  const finish = (end: ReadingEnd) => ({ by, undated, first, read: getTotalRead(), end });

  for (let pages = 1; ; pages += 1) {
    for (const [index, item] of page.items.entries()) {
      if (index < skip) continue;
      // Filtering must not reveal redacted values.
      const clean = redactSecretFields(item, []) as JsonObject;
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

interface ReadStart extends ReadPosition {
  readonly page: Page<JsonObject>;
}

/**
 * Fetches the first page, filtered by the service if it is found to support that. Takes at most one extra request, and
 * none if the list has one page or the result is cached.
 */
async function startReading(
  source: ListSource,
  { filter, query }: { filter: ListFilter; query: JsonObject },
): Promise<ReadStart> {
  const { operation, behaviorCache } = source;
  const subject = `${operation} filter ${Object.keys(filter.criteria).sort().join(' ')}`;
  const start = { from: undefined, skip: 0, read: 0 };
  const cachedBehavior = behaviorCache.get(subject);
  if (cachedBehavior === 'supports') {
    const filteredQuery = { ...filter.params, ...withLargePages(source, query) };
    const page = await source.fetch(filteredQuery).catch((error: unknown) => {
      if (!isRejectedQuery(error)) throw error;
    });
    const isSupported = page?.items.every((item) => filter.matches(item) === true) === true;
    if (!isSupported) behaviorCache.set(subject, 'ignores');
    if (page) return { ...start, page, query: filteredQuery, by: isSupported ? 'service' : 'server' };
  }
  const { page, sentQuery } = await fetchFirstPage(source, query);
  const unfiltered: ReadStart = { ...start, page, query: sentQuery, by: 'server' };
  if (!page.cursor || cachedBehavior !== undefined) return unfiltered;
  const filteredQuery = { ...filter.params, ...sentQuery };
  // A service may fail on unknown parameters: then the unfiltered page is used.
  const filteredPage = await source.fetch(filteredQuery).catch((error: unknown) => {
    if (isRejectedQuery(error) || error instanceof ServerError) return undefined;
    return error instanceof RateLimitError ? page : Promise.reject(error);
  });
  const isSupported =
    filteredPage &&
    (filteredPage === page ? undefined : isFilterSupported({ unfilteredPage: page, filteredPage, filter }));
  // An empty page proves nothing: the service may filter by something else.
  if (isSupported !== undefined || !filteredPage) behaviorCache.set(subject, isSupported ? 'supports' : 'ignores');
  return isSupported ? { ...start, page: filteredPage, query: filteredQuery, by: 'service' } : unfiltered;
}

/** Returns whether the service applied the filter; undefined if the pages don't tell. */
function isFilterSupported(pages: {
  unfilteredPage: Page<JsonObject>;
  filteredPage: Page<JsonObject>;
  filter: ListFilter;
}): boolean | undefined {
  const { unfilteredPage, filteredPage, filter } = pages;
  // If all items match, so would any page, even of a list that changes by itself.
  if (unfilteredPage.items.every((item) => filter.matches(item) === true)) return undefined;
  if (isSamePage(unfilteredPage, filteredPage)) return false;
  if (!filteredPage.items.every((item) => filter.matches(item) === true)) return false;
  const expected = unfilteredPage.items.filter((item) => filter.matches(item) === true);
  const cachedBehavior = new Set(filteredPage.items.map((item) => JSON.stringify(item)));
  const missing =
    filteredPage.complete && !filteredPage.cursor && expected.some((item) => !cachedBehavior.has(JSON.stringify(item)));
  if (missing) return false;
  return filteredPage.items.length > 0 ? true : undefined;
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
