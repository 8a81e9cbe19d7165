import {
  DocshareError,
  idOf,
  type JsonObject,
  NotFoundError,
  type Page,
  RateLimitError,
  ValidationError,
} from '../platform/client-core.ts';

/** The item; `absent` if the service does not have it, `unread` if that is unknown. */
export type LookupResult<Item = JsonObject> = Item | 'absent' | 'unread';

export function getFoundItem(found: LookupResult | undefined): JsonObject | undefined {
  return typeof found === 'string' ? undefined : found;
}

/** Runs one request. Rethrows a rate limit error, so that Zapier retries the whole run later. */
export async function tryLookup<Item extends object>(
  request: PromiseLike<Item>,
): Promise<LookupResult<Item>> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RateLimitError || !(error instanceof DocshareError)) throw error;
    // §7 does not show the status for an unknown ID.
    return error instanceof NotFoundError || error instanceof ValidationError ? 'absent' : 'unread';
  }
}

/** Finds a record on the first page of a list; `absent` only if that page is the whole list. */
export async function findOnFirstPage(
  list: PromiseLike<Page<JsonObject>>,
  { id, resource }: { id: string; resource: string },
): Promise<LookupResult> {
  const page = await tryLookup(list);
  if (typeof page === 'string') return 'unread';
  const found = page.items.find((item) => idOf(item, resource) === id);
  return found ?? (page.cursor === undefined ? 'absent' : 'unread');
}
