import { LIST_QUERY } from '../../src/assumptions/index.ts';
import {
  type Client,
  createdAtOf,
  firstAccepted,
  idOf,
  type JsonObject,
  type ListCall,
  type Page,
} from '../platform/core.ts';
import type { RecordKind } from './record.ts';

type Query = Readonly<Record<string, string>>;
type List = (query: Query) => ListCall<JsonObject>;

/** Asks for full pages; a service that refuses the parameter is asked without it (§4 shows no query). */
const QUERIES = [{ [LIST_QUERY.limit]: '100' }, {}] as const;

/** Pages that one step reads at most: it has seconds, and shares 120 requests a minute with all others. */
const MOST_PAGES = 20;

/** One page as the service cuts it: the first, or the one that `next` leads to. */
export async function askPage(list: List, next?: Query): Promise<Page<JsonObject>> {
  return firstAccepted(QUERIES, async (query) => await list({ ...query, ...next }));
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
  const seen = new Set<string>();
  let next: Query | undefined;
  for (let number = 0; number < MOST_PAGES; number++) {
    const page = await askPage(list, next);
    const print = JSON.stringify(page.items);
    // A service that ignores the cursor answers the same page for ever.
    if (page.items.length === 0 || seen.has(print)) return { items, complete: true };
    seen.add(print);
    items.push(...page.items);
    if (!page.next) return { items, complete: true };
    if (enough(items)) return { items, complete: false };
    next = page.next;
  }
  return { items, complete: false };
}

/** Newest records that a poll looks at. */
const POLLED = 100;

/**
 * The newest records. The order of a list is not documented (§4): where its beginning runs from newer to older that
 * beginning is enough, else all pages that a step may read are looked through.
 */
export async function collectNewest(list: List): Promise<readonly JsonObject[]> {
  const { items } = await collect(list, (read) => read.length >= POLLED && isNewestFirst(read));
  return items;
}

function isNewestFirst(items: readonly JsonObject[]): boolean {
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
    (query) => kind.list(client, query),
    (read) => read.some(isWanted),
  );
  return items.find(isWanted) ?? (complete ? 'absent' : 'unread');
}
