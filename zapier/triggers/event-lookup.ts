import {
  DocshareError,
  idOf,
  type JsonObject,
  NotFoundError,
  type Page,
  RateLimitError,
  ValidationError,
} from '../platform/client-core.ts';

/** What was asked for; `absent` where the service denies it, `unread` where it can't say. */
export type LookupResult<Item = JsonObject> = Item | 'absent' | 'unread';

export function getFoundItem(found: LookupResult | undefined): JsonObject | undefined {
  return typeof found === 'string' ? undefined : found;
}

/** One question. A service that asks for patience is asked again later by the platform: then nothing is decided yet. */
export async function tryLookup<Item extends object>(
  request: PromiseLike<Item>,
): Promise<LookupResult<Item>> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RateLimitError || !(error instanceof DocshareError)) throw error;
    // §7: the status for an unknown id is not shown.
    return error instanceof NotFoundError || error instanceof ValidationError ? 'absent' : 'unread';
  }
}

/** A record by its id on a list's first page, in one request; `absent` only where that page is the whole list. */
export async function findOnFirstPage(
  list: PromiseLike<Page<JsonObject>>,
  { id, resource }: { id: string; resource: string },
): Promise<LookupResult> {
  const page = await tryLookup(list);
  if (typeof page === 'string') return 'unread';
  const found = page.items.find((item) => idOf(item, resource) === id);
  return found ?? (page.cursor === undefined ? 'absent' : 'unread');
}
