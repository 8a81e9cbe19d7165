import { LIST_PARAMS } from '../../src/assumptions/index.ts';
import {
  ApiError,
  type Client,
  ConflictError,
  createdAtOf,
  idOf,
  type JsonObject,
  type ListOptions,
  type ListPromise,
  NotFoundError,
  type Page,
  type PageCursor,
  RateLimitError,
  tryRequestBodies,
  ValidationError,
} from '../platform/client-core.ts';
import type { RecordKind } from './record-kind.ts';

export type ListQuery = Readonly<Record<string, string>>;
export type ListFunction = (query: ListQuery, options: ListOptions) => ListPromise<JsonObject>;

/** Asks for full pages first; §4 shows no query, so a service may reject the parameter. */
const QUERY_VARIANTS = [{ [LIST_PARAMS.limit]: '100' }, {}] as const;

/** Maximum pages per step, which shares 120 requests per minute with all others. */
const MAX_PAGES = 20;
/** Maximum for large pages, so that lists of some thousand records are complete. */
const MAX_LARGE_PAGES = 40;
const MIN_LARGE_PAGE_SIZE = 75;
const READ_TIMEOUT_MS = 14_000;

/** Fetches the first page, or the one at `from`. */
export async function fetchPage(list: ListFunction, from?: PageCursor): Promise<Page<JsonObject>> {
  return tryRequestBodies(QUERY_VARIANTS, async (query) => await list(query, { cursor: from }));
}

/** Reads a list with further parameters; undefined if the service rejects them (§4 shows none). */
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

export interface CollectedItems {
  readonly items: readonly JsonObject[];
  /** True if the service has no more. */
  readonly complete: boolean;
}

export interface ReadResult extends CollectedItems {
  /** Next page, if the limits ended the read. */
  readonly cursor?: PageCursor;
  /** Cursor of the last page that was read; undefined for the first page of a list. */
  readonly lastCursor?: PageCursor;
}

export interface ReadLimits {
  readonly from?: PageCursor | undefined;
  readonly maxPages?: number;
  readonly timeoutMs?: number;
  /** Returns what was read if the rate limit is reached: a later poll continues there. */
  readonly stopsAtRateLimit?: boolean;
  /** Ends the read once the items so far are enough. */
  readonly isEnough?: (items: readonly JsonObject[]) => boolean;
}

/** Reads pages until the list, the limits or `isEnough` end it. */
export async function readPages(list: ListFunction, limits: ReadLimits = {}): Promise<ReadResult> {
  const {
    from,
    maxPages,
    timeoutMs = READ_TIMEOUT_MS,
    stopsAtRateLimit = false,
    isEnough = () => false,
  } = limits;
  const startedAt = performance.now();
  const items: JsonObject[] = [];
  const pages = await tryRequestBodies(QUERY_VARIANTS, async (query) => {
    const call = list(query, { incomplete: 'accept', cursor: from });
    await call;
    return call.pages();
  });
  let pagesRead = 0;
  let lastCursor: PageCursor | undefined;
  let nextCursor = from;
  try {
    for await (const page of pages) {
      items.push(...page.items);
      pagesRead += 1;
      // An empty page after the last one is not the end of the list.
      if (page.items.length > 0 || pagesRead === 1) lastCursor = nextCursor;
      nextCursor = page.cursor;
      const position = lastCursor ? { lastCursor } : {};
      if (!page.complete) return { items, complete: false, ...position };
      const isTimedOut = performance.now() - startedAt > timeoutMs;
      const pageLimit =
        maxPages ?? (items.length >= pagesRead * MIN_LARGE_PAGE_SIZE ? MAX_LARGE_PAGES : MAX_PAGES);
      if (page.cursor && (pagesRead >= pageLimit || isTimedOut || isEnough(items)))
        return { items, complete: false, cursor: page.cursor, ...position };
    }
  } catch (error) {
    if (!stopsAtRateLimit || !(error instanceof RateLimitError) || pagesRead === 0 || !nextCursor)
      throw error;
    return { items, complete: false, cursor: nextCursor, ...(lastCursor ? { lastCursor } : {}) };
  }
  return { items, complete: true, ...(lastCursor ? { lastCursor } : {}) };
}

/** True if a cursor is no longer valid; false for errors that may pass. */
export function isCursorInvalid(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ValidationError || error instanceof ConflictError;
}

/** Reads the rest of a list whose first page is known. */
export async function readRemainingPages(
  list: ListFunction,
  firstPage: Page<JsonObject>,
  limits: Omit<ReadLimits, 'from'> = {},
): Promise<ReadResult> {
  const { isEnough = () => false } = limits;
  const { items, complete, cursor } = firstPage;
  if (!cursor) return { items, complete };
  if (isEnough(items)) return { items, complete: false, cursor };
  const remaining = await readPages(list, {
    ...limits,
    from: cursor,
    isEnough: (moreItems) => isEnough([...items, ...moreItems]),
  }).catch((error: unknown): ReadResult => {
    if (!limits.stopsAtRateLimit || !(error instanceof RateLimitError)) throw error;
    return { items: [], complete: false, cursor };
  });
  return { ...remaining, items: [...items, ...remaining.items] };
}

/** Reads a list from the beginning. */
export function collectItems(list: ListFunction, isEnough?: ReadLimits['isEnough']): Promise<CollectedItems> {
  return readPages(list, isEnough ? { isEnough } : {});
}

/** Newest records that a poll reads, unless more are new. */
export const POLLED_ITEMS = 100;

/** Sorts newest first, by `getTime`; items without a time come last. */
export function sortNewestFirst<Item>(
  items: readonly Item[],
  getTime: (item: Item) => unknown,
): readonly Item[] {
  const getKey = (item: Item) => String(getTime(item) ?? '');
  return items.toSorted((a, b) => getKey(b).localeCompare(getKey(a)));
}

export function isNewestFirst(
  items: readonly JsonObject[],
  getTime: (item: JsonObject) => string | undefined = createdAtOf,
): boolean {
  const times = items.map((item) => getTime(item));
  const [firstTime] = times;
  const lastTime = times.at(-1);
  if (firstTime === undefined || lastTime === undefined || firstTime === lastTime) return false;
  return times.every(
    (time, index) => index === 0 || (time !== undefined && time <= (times[index - 1] ?? '')),
  );
}

/** Finds a record by ID: `absent` if the whole list lacks it, `unread` if a step can't read the whole list. */
export async function findById(
  kind: RecordKind,
  client: Client,
  id: string,
): Promise<JsonObject | 'absent' | 'unread'> {
  const isMatch = (item: JsonObject) => idOf(item, kind.resource) === id;
  const { items, complete } = await collectItems(
    (query, options) => kind.list(client, query, options),
    (itemsRead) => itemsRead.some(isMatch),
  );
  return items.find(isMatch) ?? (complete ? 'absent' : 'unread');
}
