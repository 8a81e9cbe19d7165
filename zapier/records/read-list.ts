import { ID_FIELDS, MAX_PAGE_SIZE } from '../../src/assumptions/index.ts';
import {
  ApiError,
  type Client,
  ConflictError,
  getCreatedAt,
  getTextField,
  IncompleteListError,
  idOf,
  type JsonObject,
  type ListOptions,
  type ListPromise,
  NotFoundError,
  type NotFullySearched,
  type Page,
  type PageCursor,
  RateLimitError,
  type SearchResult,
  ValidationError,
} from '../platform/client-core.ts';
import { liftFields } from './lift-fields.ts';
import type { RecordKind } from './record-kind.ts';

type ListQuery = Readonly<Record<string, string>>;
export type ListFunction = (query: ListQuery, options: ListOptions) => ListPromise<JsonObject>;

export function getListFunction({ resource }: RecordKind, client: Client): ListFunction {
  return (query, options) => client[`${resource}s`].list(query, options);
}

/** Maximum pages that a step reads by default: it shares 120 requests per minute with all others. */
const MAX_PAGES = 40;
const READ_TIMEOUT_MS = 14_000;

/** Fetches the first page, or the one at `from`, as large as the service allows. */
export async function fetchPage(list: ListFunction, from?: PageCursor): Promise<Page<JsonObject>> {
  const { value } = await list({}, { cursor: from }).pages()[Symbol.asyncIterator]().next();
  return { ...value, items: value.items.map(liftFields) };
}

/** Runs `request` with a list that adds `query`; undefined if the service rejects the parameters (§4 shows none). */
export async function tryWithQuery<Result>(
  list: ListFunction,
  query: ListQuery,
  request: (list: ListFunction) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await request((pageQuery, options) => list({ ...query, ...pageQuery }, options));
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return undefined;
    throw error;
  }
}

/** Result of reading a list. Only if it is `whole`, the `readItems` are all entries. */
export type ListReading = WholeList | ListPart;

interface ReadEntries {
  readonly readItems: readonly JsonObject[];
  /** Cursor of the last page; undefined for the first page of a list. */
  readonly lastCursor?: PageCursor;
}

interface WholeList extends ReadEntries {
  readonly kind: 'whole';
  readonly total?: undefined;
  readonly cursor?: undefined;
}

interface ListPart extends ReadEntries {
  readonly kind: 'part';
  /** Why the list was not read to its end. */
  readonly reason: string;
  /** Number of all entries, if the service reports it. */
  readonly total?: number | undefined;
  /** Position of the next page, if the list can be read further. */
  readonly cursor?: PageCursor;
}

/**
 * True at the end of a list that has grown before `from`, so that more are in its total than were read.
 * @param earlier where this reading began, and the total when the list was read from its beginning
 */
export function isAtEnd(
  reading: ListReading,
  { from, total }: { from?: PageCursor | undefined; total?: number | undefined },
): boolean {
  const position = (from?.read ?? 0) + reading.readItems.length;
  return !reading.cursor && total !== undefined && position >= total;
}

/** Limits of a search: time, and less than half of the requests of a minute. */
export const SEARCH_LIMITS = { maxPages: 50, stopsAtRateLimit: true } as const;

const TOO_LONG = 'the list is longer than one step may read';
export const LIMIT_REACHED = 'the rate limit was reached';

export interface ReadLimits {
  readonly from?: PageCursor | undefined;
  readonly maxPages?: number;
  readonly timeoutMs?: number;
  /** Returns what was read if the rate limit is reached: a later poll continues there. */
  readonly stopsAtRateLimit?: boolean;
  readonly isEnough?: (items: readonly JsonObject[]) => boolean;
}

/** Cursors of the pages on which entries were read. */
const pageCursors = new WeakMap<JsonObject, PageCursor>();

/** Cursor of the page with an entry; undefined for the first page. */
export function getPageCursor(item: JsonObject | undefined): PageCursor | undefined {
  return item && pageCursors.get(item);
}

/** Reads pages until the list, the limits or `isEnough` end it. */
export async function readPages(list: ListFunction, limits: ReadLimits = {}): Promise<ListReading> {
  const {
    from,
    maxPages = MAX_PAGES,
    timeoutMs = READ_TIMEOUT_MS,
    stopsAtRateLimit = false,
    isEnough = () => false,
  } = limits;
  const startedAt = performance.now();
  const readItems: JsonObject[] = [];
  let pagesRead = 0;
  let lastCursor: PageCursor | undefined;
  let nextCursor = from;
  let total: number | undefined;
  const part = (reason: string, cursor?: PageCursor): ListPart => ({
    kind: 'part',
    readItems,
    reason,
    total,
    ...(cursor ? { cursor } : {}),
    ...(lastCursor ? { lastCursor } : {}),
  });
  try {
    for await (const page of list({}, { incomplete: 'accept', cursor: from }).pages()) {
      const items = page.items.map(liftFields);
      readItems.push(...items);
      if (nextCursor) for (const item of items) pageCursors.set(item, nextCursor);
      pagesRead += 1;
      total = page.total;
      // An empty page after the last one is not the end of the list.
      if (page.items.length > 0 || pagesRead === 1) lastCursor = nextCursor;
      nextCursor = page.cursor;
      if (!page.complete) {
        const all = from ? undefined : await addMoved(list, readItems, page.total);
        return all
          ? { kind: 'whole', readItems: all, ...(lastCursor ? { lastCursor } : {}) }
          : part(page.incompleteReason);
      }
      const isTimedOut = performance.now() - startedAt > timeoutMs;
      if (page.cursor && (pagesRead >= maxPages || isTimedOut || isEnough(readItems)))
        return part(TOO_LONG, page.cursor);
    }
  } catch (error) {
    if (!stopsAtRateLimit || !(error instanceof RateLimitError) || pagesRead === 0 || !nextCursor) throw error;
    return part(LIMIT_REACHED, nextCursor);
  }
  return { kind: 'whole', readItems, ...(lastCursor ? { lastCursor } : {}) };
}

/**
 * Adds entries that moved to the first page because they changed meanwhile. Undefined if there are still fewer
 * than the total, or if one of them is new: then another one may be unread.
 */
async function addMoved(
  list: ListFunction,
  items: readonly JsonObject[],
  total = Number.POSITIVE_INFINITY,
): Promise<readonly JsonObject[] | undefined> {
  const getId = (item: JsonObject) => getTextField(item, ID_FIELDS);
  const known = new Set(items.map(getId));
  if (known.has(undefined) || !(known.size < total && known.size + MAX_PAGE_SIZE >= total)) return undefined;
  const moved = (await fetchPage(list)).items.filter((item) => !known.has(getId(item)));
  const [newestItem = {}] = sortNewestFirst(items, getCreatedAt);
  const newest = getCreatedAt(newestItem) ?? '';
  const isOld = (item: JsonObject) => (getCreatedAt(item) ?? '\uffff') <= newest;
  return known.size + moved.length < total || !moved.every(isOld) ? undefined : [...items, ...moved];
}

/** True if a cursor is no longer valid; false for errors that may pass. */
export function isCursorInvalid(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ValidationError || error instanceof ConflictError;
}

export async function readRemainingPages(
  list: ListFunction,
  firstPage: Page<JsonObject>,
  limits: Omit<ReadLimits, 'from'> = {},
): Promise<ListReading> {
  const { isEnough = () => false } = limits;
  const { items, cursor } = firstPage;
  if (!firstPage.complete) return { kind: 'part', readItems: items, reason: firstPage.incompleteReason };
  if (!cursor) return { kind: 'whole', readItems: items };
  const part: ListPart = { kind: 'part', readItems: items, reason: TOO_LONG };
  if (isEnough(items)) return { ...part, cursor };
  const remaining = await readPages(list, {
    ...limits,
    from: cursor,
    isEnough: (moreItems) => isEnough([...items, ...moreItems]),
  }).catch((error: unknown): ListReading => {
    if (!limits.stopsAtRateLimit || !(error instanceof RateLimitError)) throw error;
    return { ...part, readItems: [], reason: LIMIT_REACHED, cursor };
  });
  return { ...remaining, readItems: [...items, ...remaining.readItems] };
}

/** The items without those whose ID an earlier one has: a list that shifts while it is read repeats a record. */
export function distinctById<Item>(items: readonly Item[], getId: (item: Item) => string): Item[] {
  const ids = new Set<string>();
  return items.filter((item) => {
    const isFirst = !ids.has(getId(item));
    ids.add(getId(item));
    return isFirst;
  });
}

/** Newest records that a poll reads, unless more are new. */
export const MAX_POLLED_ITEMS = 100;

/** Sorts newest first, by `getTime`; items without a time come last. */
export function sortNewestFirst<Item>(items: readonly Item[], getTime: (item: Item) => unknown): readonly Item[] {
  const getKey = (item: Item) => String(getTime(item) ?? '');
  return items.toSorted((a, b) => getKey(b).localeCompare(getKey(a)));
}

export function isNewestFirst(
  items: readonly JsonObject[],
  getTime: (item: JsonObject) => string | undefined = getCreatedAt,
): boolean {
  const times = items.map((item) => getTime(item));
  const [firstTime] = times;
  const lastTime = times.at(-1);
  if (firstTime === undefined || lastTime === undefined || firstTime === lastTime) return false;
  return times.every((time, index) => index === 0 || (time !== undefined && time <= (times[index - 1] ?? '')));
}

/** Finds a record in what one run can read of its list, for callers that can do without it. */
export async function tryFindById(
  kind: RecordKind,
  client: Client,
  id: string,
): Promise<SearchResult<{ item: JsonObject }>> {
  const isMatch = (item: JsonObject) => idOf(item, kind.resource) === id;
  const reading = await readPages(getListFunction(kind, client), {
    ...SEARCH_LIMITS,
    isEnough: (items) => items.some(isMatch),
  }).catch((): ListReading => ({ kind: 'part', readItems: [], reason: 'the list could not be read' }));
  const item = reading.readItems.find(isMatch);
  if (item) return { kind: 'found', item };
  if (reading.kind === 'whole') return { kind: 'not-found' };
  return { kind: 'not-fully-searched', reason: reading.reason, read: reading.readItems.length };
}

export function throwIncompleteList(
  operation: string,
  { reason, read }: Pick<NotFullySearched, 'reason' | 'read'>,
): never {
  throw new IncompleteListError({ operation, reason, itemsRead: read });
}
