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

/** Asks for full pages; a service that refuses the parameter is asked without it (§4 shows no query). */
const QUERY_VARIANTS = [{ [LIST_PARAMS.limit]: '100' }, {}] as const;

/** Pages that one step reads at most: it shares 120 requests a minute with all others. */
const MAX_PAGES = 20;
/** Large pages are worth more requests: a list of some thousands then comes whole. */
const MAX_LARGE_PAGES = 40;
const MIN_LARGE_PAGE_SIZE = 75;
/** A step has seconds: what is read by then has to do. */
const READ_TIMEOUT_MS = 14_000;

/** One page as the service cuts it: the first, or the one behind `from`. */
export async function fetchPage(list: ListFunction, from?: PageCursor): Promise<Page<JsonObject>> {
  return tryRequestBodies(QUERY_VARIANTS, async (query) => await list(query, { cursor: from }));
}

/** A list with further parameters; undefined where the service refuses them (§4 shows none). */
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
  /** Whether these are all the service has. */
  readonly complete: boolean;
}

/** Where a walk through a list stopped. */
export interface ReadResult extends CollectedItems {
  /** The way on, where there is more than a look may read. */
  readonly cursor?: PageCursor;
  /** The way to the last page that was read; undefined for the first page of a list. */
  readonly lastCursor?: PageCursor;
}

export interface ReadLimits {
  readonly from?: PageCursor | undefined;
  readonly maxPages?: number;
  readonly timeoutMs?: number;
  /** Whether what was read when the limit of requests is used up has to do: a later look goes on from there. */
  readonly stopsAtRateLimit?: boolean;
  /** Whether the items so far are enough. */
  readonly isEnough?: (items: readonly JsonObject[]) => boolean;
}

/** Reads page after page until there is no more, a step may read no more, or `isEnough` says so of the items so far. */
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
      // An empty page behind the last one: that one is where a list ends.
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

/** Whether a refusal means that the place where a list was to go on is no more, and not that this is no moment to ask. */
export function isCursorInvalid(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ValidationError || error instanceof ConflictError;
}

/** The rest of a list whose first page is known. */
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

/** The same from a list's beginning. */
export function collectItems(list: ListFunction, isEnough?: ReadLimits['isEnough']): Promise<CollectedItems> {
  return readPages(list, isEnough ? { isEnough } : {});
}

/** Newest records that a poll looks at, unless more are new. */
export const POLLED_ITEMS = 100;

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

/** The record with this id; `absent` where the whole list lacks it, `unread` where a step can't read the whole list. */
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
