import { LIST_QUERY } from '../../src/assumptions/index.ts';
import {
  type Client,
  createdAtOf,
  firstAccepted,
  idOf,
  type JsonObject,
  type ListCall,
  type ListOptions,
  type Onward,
  type Page,
} from '../platform/core.ts';
import type { RecordKind } from './record.ts';

type List = (query: Readonly<Record<string, string>>, options: ListOptions) => ListCall<JsonObject>;

/** Asks for full pages; a service that refuses the parameter is asked without it (§4 shows no query). */
const QUERIES = [{ [LIST_QUERY.limit]: '100' }, {}] as const;

/** Pages that one step reads at most: it has seconds, and shares 120 requests a minute with all others. */
const MOST_PAGES = 20;

/** One page as the service cuts it: the first, or the one behind `from`. */
export async function askPage(list: List, from?: Onward): Promise<Page<JsonObject>> {
  return firstAccepted(QUERIES, async (query) => await list(query, { from }));
}

export interface Collected {
  readonly items: readonly JsonObject[];
  /** Whether these are all the service has. */
  readonly complete: boolean;
}

/** Reads page after page until there is no more, a step may read no more, or `enough` says so of the items so far. */
export async function collect(
  list: List,
  enough: (items: readonly JsonObject[]) => boolean = () => false,
): Promise<Collected> {
  const items: JsonObject[] = [];
  const pages = await firstAccepted(QUERIES, async (query) => {
    const call = list(query, { incomplete: 'accept' });
    await call;
    return call.pages();
  });
  let read = 0;
  for await (const page of pages) {
    items.push(...page.items);
    read += 1;
    if (!page.complete) return { items, complete: false };
    if (page.onward && (read >= MOST_PAGES || enough(items))) return { items, complete: false };
  }
  return { items, complete: true };
}

/** Newest records that a poll looks at, unless more are new. */
export const POLLED = 100;

/**
 * The newest records. The order of a list is not documented (§4): where its beginning runs from newer to older that
 * beginning is enough, else all pages that a step may read are looked through.
 */
export async function collectNewest(list: List): Promise<readonly JsonObject[]> {
  const { items } = await collect(list, (read) => read.length >= POLLED && isNewestFirst(read));
  return items;
}

export function isNewestFirst(items: readonly JsonObject[]): boolean {
  const times = items.map((item) => createdAtOf(item));
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
