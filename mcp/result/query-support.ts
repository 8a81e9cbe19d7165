import * as errors from '../../src/errors.ts';
import type { Page, PageCursor } from '../../src/index.ts';
import { idOf, isObject, type JsonObject } from '../../src/records/fields.ts';
import { hashCanonicalJson } from '../canonical-json.ts';
import type { BehaviorCache } from '../tool/key-status.ts';

export type FetchPage = (query: JsonObject, from?: PageCursor) => Promise<Page<JsonObject>>;

/** List of the service, and what is known about its query support. */
export interface ListSource {
  readonly operation: string;
  readonly resource: string;
  readonly fetch: FetchPage;
  /** Query that requests pages of this size. */
  readonly getPageSizeQuery: (size: number) => JsonObject;
  readonly behaviorCache: BehaviorCache;
}

/** Returns whether two pages contain the same items, compared by id if all have one. */
export function isSamePage(first: Page<JsonObject>, second: Page<JsonObject>): boolean {
  return fingerprintItems(first.items) === fingerprintItems(second.items);
}

function fingerprintItems(items: readonly JsonObject[]): string {
  const ids = items.map((item) => idOf(item));
  return hashCanonicalJson({ items: ids.includes(undefined) ? items : ids });
}

/** Returns whether an error may be caused by the query: the call might succeed without it. */
export function isRejectedQuery(error: unknown): boolean {
  return error instanceof errors.ApiError && !QUERY_INDEPENDENT_ERRORS.some((Kind) => error instanceof Kind);
}

const QUERY_INDEPENDENT_ERRORS = [
  errors.AuthenticationError,
  errors.PermissionError,
  errors.NotFoundError,
  errors.RateLimitError,
  errors.ServerError,
];

/** Note if the service ignores the caller's `query`. Takes at most one request, and none while it is cached. */
export async function getIgnoredQueryNote(
  source: ListSource,
  { query, sentQuery, page }: { query: JsonObject | undefined; sentQuery: JsonObject; page: Page<JsonObject> },
): Promise<string | undefined> {
  // An empty page was filtered, or there is nothing to filter.
  if (!isObject(query) || Object.keys(query).length === 0 || page.items.length === 0) return undefined;
  const supportedKey = `${source.operation} supports ${hashCanonicalJson({ names: Object.keys(query).sort() })}`;
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
  return 'The service returns the same items without this query: it ignores the query, or all items match. To filter reliably, use match, since and until.';
}
