import {
  ApiError,
  AuthenticationError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../src/errors.ts';
import type { Page, PageCursor } from '../../src/index.ts';
import { idOf, isObject, type JsonObject } from '../../src/records/fields.ts';
import { hashCanonicalJson } from '../canonical-json.ts';
import type { BehaviorCache } from '../tool/key-status.ts';

export type FetchPage = (query: JsonObject, from?: PageCursor) => Promise<Page<JsonObject>>;

/** A list of the service, and what is known of how it takes queries. */
export interface ListSource {
  readonly operation: string;
  readonly resource: string;
  readonly fetch: FetchPage;
  /** What asks for pages of a size. */
  readonly getPageSizeQuery: (size: number) => JsonObject;
  readonly behaviorCache: BehaviorCache;
}

/** Whether two pages hold the same, whatever changes in their items between two answers. */
export function isSamePage(first: Page<JsonObject>, second: Page<JsonObject>): boolean {
  return fingerprintItems(first.items) === fingerprintItems(second.items);
}

function fingerprintItems(items: readonly JsonObject[]): string {
  const ids = items.map((item) => idOf(item));
  return hashCanonicalJson({ items: ids.includes(undefined) ? items : ids });
}

/** What may be about the query alone: the service may answer the same call without it. */
export function isRejectedQuery(error: unknown): boolean {
  return error instanceof ApiError && !QUERY_INDEPENDENT_ERRORS.some((Kind) => error instanceof Kind);
}

const QUERY_INDEPENDENT_ERRORS = [
  AuthenticationError,
  PermissionError,
  NotFoundError,
  RateLimitError,
  ServerError,
];

/**
 * A sentence where the service answers the same without the caller's `query`: it overlooks what it does not know. One
 * request at most, and none while it is remembered.
 */
export async function getIgnoredQueryNote(
  source: ListSource,
  {
    query,
    sentQuery,
    page,
  }: { query: JsonObject | undefined; sentQuery: JsonObject; page: Page<JsonObject> },
): Promise<string | undefined> {
  // An empty answer is narrowed, or there is nothing to narrow.
  if (!isObject(query) || Object.keys(query).length === 0 || page.items.length === 0) return undefined;
  const supportedKey = `${source.operation} heeds ${hashCanonicalJson({ names: Object.keys(query).sort() })}`;
  const ignoredKey = `${source.operation} ignores ${hashCanonicalJson(query)}`;
  if (source.behaviorCache.get(supportedKey)) return undefined;
  if (!source.behaviorCache.get(ignoredKey)) {
    const queryWithoutOwn = Object.fromEntries(
      Object.entries(sentQuery).filter(([name]) => !Object.hasOwn(query, name)),
    );
    const unfilteredPage = await source.fetch(queryWithoutOwn).catch(() => undefined);
    if (!unfilteredPage) return undefined;
    if (!isSamePage(unfilteredPage, page)) {
      source.behaviorCache.set(supportedKey, 'yes');
      return undefined;
    }
    source.behaviorCache.set(ignoredKey, 'yes');
  }
  return 'The service gives the same items without this query: it ignores it, or all items fit it. match, since and until narrow a list in any case.';
}
