import { idOf, isObject, type JsonObject } from '../../src/answer/fields.ts';
import {
  ApiError,
  AuthenticationError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../src/errors.ts';
import type { Page, PageCursor } from '../../src/index.ts';
import { hashCanonicalJson } from '../canonical.ts';
import type { Habits } from '../contract/sight.ts';

export type FetchPage = (query: JsonObject, from?: PageCursor) => Promise<Page<JsonObject>>;

/** A list of the service, and what is known of how it takes queries. */
export interface ListSource {
  readonly operation: string;
  readonly resource: string;
  readonly fetch: FetchPage;
  /** What asks for pages of a size. */
  readonly getPageSizeQuery: (size: number) => JsonObject;
  readonly habits: Habits;
}

/** Whether two pages hold the same, whatever changes in their items between two answers. */
export function isSamePage(one: Page<JsonObject>, other: Page<JsonObject>): boolean {
  return fingerprintItems(one.items) === fingerprintItems(other.items);
}

function fingerprintItems(items: readonly JsonObject[]): string {
  const ids = items.map((item) => idOf(item));
  return hashCanonicalJson({ items: ids.includes(undefined) ? items : ids });
}

/** What may be about the query alone: the service may answer the same call without it. */
export function isRefusedQuery(error: unknown): boolean {
  return error instanceof ApiError && !OF_THE_CALL.some((Kind) => error instanceof Kind);
}

const OF_THE_CALL = [AuthenticationError, PermissionError, NotFoundError, RateLimitError, ServerError];

/**
 * A sentence where the service answers the same without the caller's `query`: it overlooks what it does not know. One
 * request at most, and none while it is remembered.
 */
export async function ignoredNote(
  source: ListSource,
  { query, asked, page }: { query: JsonObject | undefined; asked: JsonObject; page: Page<JsonObject> },
): Promise<string | undefined> {
  // An empty answer is narrowed, or there is nothing to narrow.
  if (!isObject(query) || Object.keys(query).length === 0 || page.items.length === 0) return undefined;
  const heeds = `${source.operation} heeds ${hashCanonicalJson({ names: Object.keys(query).sort() })}`;
  const ignores = `${source.operation} ignores ${hashCanonicalJson(query)}`;
  if (source.habits.get(heeds)) return undefined;
  if (!source.habits.get(ignores)) {
    const without = Object.fromEntries(Object.entries(asked).filter(([name]) => !Object.hasOwn(query, name)));
    const plain = await source.fetch(without).catch(() => undefined);
    if (!plain) return undefined;
    if (!isSamePage(plain, page)) {
      source.habits.set(heeds, 'yes');
      return undefined;
    }
    source.habits.set(ignores, 'yes');
  }
  return 'The service gives the same items without this query: it ignores it, or all items fit it. match, since and until narrow a list in any case.';
}
