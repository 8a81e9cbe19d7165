import {
  type Client,
  DocshareError,
  idOf,
  type JsonObject,
  type Page,
  RateLimitError,
  type SearchResult,
} from '../platform/client-core.ts';
import { isTemporary, mayBeUnknownId } from '../platform/zapier-errors.ts';
import { fetchPage, getListFunction } from '../records/read-list.ts';
import type { RecordKind } from '../records/record-kind.ts';

/** `not-fully-searched` if the service does not say whether the object exists. */
export type LookupResult<Item = JsonObject> = SearchResult<{ item: Item }>;

export function getFoundItem(found: LookupResult | undefined): JsonObject | undefined {
  return found?.kind === 'found' ? found.item : undefined;
}

/** How long an event waits for an outage to end; then it runs without its record. */
const MAX_OUTAGE_MS = 2 * 60 * 60_000;

/** Runs one request. Rethrows a rate limit error, and with `waits` an outage, so that Zapier retries the run later. */
export async function tryLookup<Item extends object>(
  request: PromiseLike<Item>,
  waits = false,
): Promise<LookupResult<Item>> {
  try {
    return { kind: 'found', item: await request };
  } catch (error) {
    if (error instanceof RateLimitError || !(error instanceof DocshareError) || (waits && isTemporary(error)))
      throw error;
    if (mayBeUnknownId(error)) return { kind: 'not-found' };
    return { kind: 'not-fully-searched', reason: 'the service gave no clear response', read: 0 };
  }
}

type PageLookup = Promise<LookupResult<Page<JsonObject>>>;

/** First pages by list, for all events of a delivery: each run has its own client. */
const firstPages = new WeakMap<Client, Map<string, PageLookup>>();

/** Finds a record on the first page of its list; `not-found` only if that page is the whole list. `time` is that of an event. */
export async function findOnFirstPage(
  kind: RecordKind,
  client: Client,
  id: string,
  time?: unknown,
): Promise<LookupResult> {
  const waits = Math.abs(Date.now() - Date.parse(String(time))) < MAX_OUTAGE_MS;
  const pages = firstPages.get(client) ?? new Map<string, PageLookup>();
  firstPages.set(client, pages);
  const lookup = pages.get(kind.resource) ?? tryLookup(fetchPage(getListFunction(kind, client)), waits);
  pages.set(kind.resource, lookup);
  const requested = await lookup;
  if (requested.kind !== 'found') return { kind: 'not-fully-searched', reason: 'the list could not be read', read: 0 };
  const page = requested.item;
  const { items } = page;
  const item = items.find((one) => idOf(one, kind.resource) === id);
  if (item) return { kind: 'found', item };
  if (page.complete && page.cursor === undefined) return { kind: 'not-found' };
  const reason = page.complete ? 'only the first page was read' : page.incompleteReason;
  return { kind: 'not-fully-searched', reason, read: items.length };
}
