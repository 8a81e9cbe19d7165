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
} from '../platform/core.ts';
import type { RecordKind } from './record.ts';

export type Query = Readonly<Record<string, string>>;
export type List = (query: Query, options: ListOptions) => ListPromise<JsonObject>;

/** Asks for full pages; a service that refuses the parameter is asked without it (§4 shows no query). */
const QUERIES = [{ [LIST_PARAMS.limit]: '100' }, {}] as const;

/** Pages that one step reads at most: it shares 120 requests a minute with all others. */
const MAX_PAGES = 20;
/** Large pages are worth more requests: a list of some thousands then comes whole. */
const MAX_LARGE_PAGES = 40;
const LARGE = 75;
/** A step has seconds: what is read by then has to do. */
const READ_TIMEOUT_MS = 14_000;

/** One page as the service cuts it: the first, or the one behind `from`. */
export async function askPage(list: List, from?: PageCursor): Promise<Page<JsonObject>> {
  return tryRequestBodies(QUERIES, async (query) => await list(query, { cursor: from }));
}

/** A list with further parameters; undefined where the service refuses them (§4 shows none). */
export async function askWith<Result>(
  list: List,
  query: Query,
  read: (list: List) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await read((own, options) => list({ ...query, ...own }, options));
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return undefined;
    throw error;
  }
}

export interface Collected {
  readonly items: readonly JsonObject[];
  /** Whether these are all the service has. */
  readonly complete: boolean;
}

/** Where a walk through a list stopped. */
export interface Walked extends Collected {
  /** The way on, where there is more than a look may read. */
  readonly onward?: PageCursor;
  /** The way to the last page that was read; undefined for the first page of a list. */
  readonly last?: PageCursor;
}

export interface Reach {
  readonly from?: PageCursor | undefined;
  readonly mostPages?: number;
  readonly longestMs?: number;
  /** Whether what was read when the limit of requests is used up has to do: a later look goes on from there. */
  readonly stopsAtLimit?: boolean;
  /** Whether the items so far are enough. */
  readonly enough?: (items: readonly JsonObject[]) => boolean;
}

/** Reads page after page until there is no more, a step may read no more, or `enough` says so of the items so far. */
export async function walk(list: List, reach: Reach = {}): Promise<Walked> {
  const { from, mostPages, longestMs = READ_TIMEOUT_MS, stopsAtLimit = false, enough = () => false } = reach;
  const startedAt = performance.now();
  const items: JsonObject[] = [];
  const pages = await tryRequestBodies(QUERIES, async (query) => {
    const call = list(query, { incomplete: 'accept', cursor: from });
    await call;
    return call.pages();
  });
  let read = 0;
  let last: PageCursor | undefined;
  let next = from;
  try {
    for await (const page of pages) {
      items.push(...page.items);
      read += 1;
      // An empty page behind the last one: that one is where a list ends.
      if (page.items.length > 0 || read === 1) last = next;
      next = page.cursor;
      const place = last ? { last } : {};
      if (!page.complete) return { items, complete: false, ...place };
      const late = performance.now() - startedAt > longestMs;
      const most = mostPages ?? (items.length >= read * LARGE ? MAX_LARGE_PAGES : MAX_PAGES);
      if (page.cursor && (read >= most || late || enough(items)))
        return { items, complete: false, onward: page.cursor, ...place };
    }
  } catch (error) {
    if (!stopsAtLimit || !(error instanceof RateLimitError) || read === 0 || !next) throw error;
    return { items, complete: false, onward: next, ...(last ? { last } : {}) };
  }
  return { items, complete: true, ...(last ? { last } : {}) };
}

/** Whether a refusal means that the place where a list was to go on is no more, and not that this is no moment to ask. */
export function isPlaceGone(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ValidationError || error instanceof ConflictError;
}

/** The rest of a list whose first page is known. */
export async function walkOn(
  list: List,
  first: Page<JsonObject>,
  reach: Omit<Reach, 'from'> = {},
): Promise<Walked> {
  const { enough = () => false } = reach;
  const { items, complete, onward } = first;
  if (!onward) return { items, complete };
  if (enough(items)) return { items, complete: false, onward };
  const rest = await walk(list, {
    ...reach,
    from: onward,
    enough: (more) => enough([...items, ...more]),
  }).catch((error: unknown): Walked => {
    if (!reach.stopsAtLimit || !(error instanceof RateLimitError)) throw error;
    return { items: [], complete: false, onward };
  });
  return { ...rest, items: [...items, ...rest.items] };
}

/** The same from a list's beginning. */
export function collect(list: List, enough?: Reach['enough']): Promise<Collected> {
  return walk(list, enough ? { enough } : {});
}

/** Newest records that a poll looks at, unless more are new. */
export const POLLED = 100;

export function isNewestFirst(
  items: readonly JsonObject[],
  getTime: (item: JsonObject) => string | undefined = createdAtOf,
): boolean {
  const times = items.map((item) => getTime(item));
  const [first] = times;
  const last = times.at(-1);
  if (first === undefined || last === undefined || first === last) return false;
  return times.every((time, at) => at === 0 || (time !== undefined && time <= (times[at - 1] ?? '')));
}

/** The record with this id; `absent` where the whole list lacks it, `unread` where a step can't read the whole list. */
export async function findById(
  kind: RecordKind,
  client: Client,
  id: string,
): Promise<JsonObject | 'absent' | 'unread'> {
  const isWanted = (item: JsonObject) => idOf(item, kind.resource) === id;
  const { items, complete } = await collect(
    (query, options) => kind.list(client, query, options),
    (read) => read.some(isWanted),
  );
  return items.find(isWanted) ?? (complete ? 'absent' : 'unread');
}
