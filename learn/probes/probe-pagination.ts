import * as assumed from '../../src/assumptions/index.ts';
import { type NextQuery, PATH_KEY } from '../../src/pagination/next-url.ts';
import type { ParsedPage } from '../../src/pagination/page.ts';
import { includesName } from '../../src/records/fields.ts';
import { PAGE_SIZE_PARAMS } from '../assumptions.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { findCursorLocation, findHasMoreField } from './find-pagination-fields.ts';
import { type ObservedList, type ProbeContext, parseList, requestList } from './probe-context.ts';
import { provokeQueryError } from './provoke-errors.ts';
import type { RecordedResponse } from './session.ts';

/** A query and the page that it returned. */
interface ProbedPage {
  readonly response: RecordedResponse;
  readonly parsedPage: ParsedPage;
  readonly query: Readonly<Record<string, string>>;
}

const SMALL_PAGE_SIZE = 2;
const LARGE_PAGE_SIZE = 1000;
/** Maximum number of requests for a second page. */
const MAX_STEPS = 12;

/** Learns how lists are paginated, the page size, and how an invalid page size is rejected. */
export async function probePagination(context: ProbeContext): Promise<void> {
  const list = findLongestList(context);
  if (!list || list.parsedPage.count === 0) {
    context.skippedReasons.push('All lists are empty, so pagination could not be tried.');
    return;
  }
  context.paginatedList = list;
  const isTruncated = hasMorePages(list.parsedPage);
  if (isTruncated) context.pagination.size = { default: list.parsedPage.count };
  const smallPage = await findPageSizeParam(context, list);
  const first: ProbedPage | undefined = smallPage ?? (isTruncated ? { ...list, query: {} } : undefined);
  if (first) await followNextPage(context, list, first);
  else if (list.parsedPage.count > SMALL_PAGE_SIZE) await checkUnpaginated(context, list);
  const { param } = context.pagination.size ?? {};
  if (param === undefined) return;
  await findMaxPageSize(context, list, param);
  await provokeQueryError(context, param);
}

/** Returns the list with the most entries, by its declared total if it has one. */
function findLongestList(context: ProbeContext): ObservedList | undefined {
  const getLength = ({ parsedPage }: ObservedList) =>
    Math.max(parsedPage.count, parsedPage.page.total ?? 0) + (hasNextPage(parsedPage.page) ? 0.5 : 0);
  // Nested lists may ignore pagination.
  const lists = [...context.lists.values()].filter(({ named }) => !named.operation.route.includes('{'));
  const nonBilling = lists.filter(({ named }) => named.group !== 'billing');
  const [best] = [...(nonBilling.some(({ parsedPage }) => parsedPage.count > 1) ? nonBilling : lists)].sort(
    (a, b) => getLength(b) - getLength(a),
  );
  return best;
}

async function requestPage(
  context: ProbeContext,
  list: ObservedList,
  query: Record<string, string>,
): Promise<ProbedPage | undefined> {
  const { '/': subpath, ...rest } = query;
  const path = subpath === undefined ? list.path : `${list.path}/${subpath}`;
  const response = await requestList(context, list, { path, query: rest, topic: 'paging' });
  const parsedPage = response && parseList(context, list, response);
  return response && parsedPage ? { response, parsedPage, query } : undefined;
}

/** Finds the page size parameter: tries those that the response names, then all at once, then bisects or tries each. */
async function findPageSizeParam(context: ProbeContext, list: ObservedList): Promise<ProbedPage | undefined> {
  if (list.parsedPage.count <= SMALL_PAGE_SIZE) return undefined;
  const echoed = collectFieldNames(list.response.json).filter((name) => includesName(assumed.SIZE_FIELDS, name));
  const [usual = 'limit'] = PAGE_SIZE_PARAMS;
  const [preferred = usual, ...others] = new Set([usual, ...echoed, ...PAGE_SIZE_PARAMS]);
  const withSize = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `${SMALL_PAGE_SIZE}`]));
  const hasRequestedSize = (page: ProbedPage | undefined) =>
    page !== undefined && page.parsedPage.count === SMALL_PAGE_SIZE;
  const recordParam = (param: string, page: ProbedPage) => {
    context.pagination.size = { ...context.pagination.size, param };
    return { ...page, query: withSize([param]) };
  };
  const first = await requestPage(context, list, withSize([preferred]));
  if (first && hasRequestedSize(first)) return recordParam(preferred, first);
  const all = await requestPage(context, list, withSize(others));
  if (all && !hasRequestedSize(all)) return undefined;
  let candidates = others;
  // If the service rejects unknown parameters, each is tried; otherwise the working half is bisected.
  while (all && candidates.length > 1) {
    const half = candidates.slice(0, Math.ceil(candidates.length / 2));
    const page = await requestPage(context, list, withSize(half));
    candidates = hasRequestedSize(page) ? half : candidates.slice(half.length);
  }
  for (const name of candidates.slice(0, 8)) {
    const page = await requestPage(context, list, withSize([name]));
    if (page && hasRequestedSize(page)) return recordParam(name, page);
  }
  return undefined;
}

function hasMorePages({ signs, page, count }: ParsedPage): boolean {
  return signs.more === true || (page.total ?? 0) > count || hasNextPage(page);
}

function hasNextPage({ nextQuery, cursor }: ObservedList['parsedPage']['page']): boolean {
  return nextQuery !== undefined || cursor?.explicit === true;
}

/** Tries the next page as declared, or as is usual, until a different page is returned. */
async function followNextPage(context: ProbeContext, list: ObservedList, first: ProbedPage): Promise<void> {
  const { cursor } = first.parsedPage.page;
  const more = findHasMoreField(first);
  if (more) context.pagination.more = more;
  if (!cursor) {
    if (first.parsedPage.count < list.parsedPage.count) context.pagination.next = { by: 'none', params: [] };
    return;
  }
  const ignored: NextQuery[] = [];
  for (const { by: kind, query, first: base } of cursor.steps.slice(0, MAX_STEPS)) {
    // Part of an ignored query is ignored too.
    if (ignored.some((whole) => isWithin(query, whole))) continue;
    const page = await requestPage(context, list, { ...first.query, ...toStringQuery(query) });
    if (page?.parsedPage.fingerprint === first.parsedPage.fingerprint) ignored.push(query);
    if (!page || !isDifferentPage(first.parsedPage, page.parsedPage)) continue;
    const workingQuery = await findEffectiveQuery(context, list, { first, query });
    const { by, at, header } = findCursorLocation(first, workingQuery);
    const [param = ''] = Object.keys(workingQuery);
    context.pagination.next = omitUndefined({
      by: by ?? (kind === 'link' ? 'url' : kind),
      params: Object.keys(workingQuery).filter((name) => name !== PATH_KEY),
      at: at && [...at],
      header,
      first: inferFirstNumber(param, { query: workingQuery, base, parsedPage: first.parsedPage }),
    });
    return;
  }
  // All usual parameters returned the same page: the list is not paginated.
  if (!cursor.explicit && first.query && Object.keys(first.query).length === 0)
    context.pagination.next = { by: 'none', params: [] };
  else context.skippedReasons.push('The service reports more pages, but no usual parameter returned one.');
}

/** Records that the list is not paginated if page 2 equals page 1. */
async function checkUnpaginated(context: ProbeContext, list: ObservedList): Promise<void> {
  const page = await requestPage(context, list, { [assumed.GUESSED_PAGE_PARAM]: '2' });
  if (page?.parsedPage.fingerprint === list.parsedPage.fingerprint)
    context.pagination.next = { by: 'none', params: [] };
}

/** Returns the one parameter that had an effect, of several that were sent together. */
async function findEffectiveQuery(
  context: ProbeContext,
  list: ObservedList,
  { first, query }: { first: ProbedPage; query: NextQuery },
): Promise<NextQuery> {
  const names = Object.keys(query);
  const isSingleUrl = first.parsedPage.signs.next.some((one) => Object.keys(one.query).length > 1);
  if (names.length < 2) return query;
  if (isSingleUrl) {
    // The URL repeats the request's query; what it adds is the position.
    const added = Object.entries(query).filter(([name, value]) => first.query[name] !== value);
    return added.length > 0 ? Object.fromEntries(added) : query;
  }
  for (const [name, value] of Object.entries(query)) {
    const one = { [name]: value };
    const page = await requestPage(context, list, { ...first.query, ...toStringQuery(one) });
    if (page && isDifferentPage(first.parsedPage, page.parsedPage)) return one;
  }
  return query;
}

function isWithin(query: NextQuery, whole: NextQuery): boolean {
  return Object.entries(query).every(([name, value]) => whole[name] === value);
}

function toStringQuery(query: NextQuery): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

/** Returns whether a page has entries and shares none with the first page. */
function isDifferentPage(first: ParsedPage, page: ParsedPage): boolean {
  if (page.count === 0 || page.fingerprint === first.fingerprint) return false;
  const ids = new Set(first.ids ?? []);
  return !page.ids?.some((id) => ids.has(id));
}

function inferFirstNumber(
  param: string,
  { query, base, parsedPage }: { query: NextQuery; base: number | undefined; parsedPage: ParsedPage },
): number | undefined {
  const value = Number(String(query[param]).replace(/^\D+/, ''));
  if (param === '/' || includesName(assumed.PAGE_PARAMS, param)) return base ?? value - 1;
  if (!includesName(assumed.OFFSET_PARAMS, param)) return undefined;
  return includesName(assumed.ONE_BASED_OFFSET_FIELDS, param) ? 1 : (base ?? value - parsedPage.count);
}

/** Requests a far too large page to learn the maximum page size, as returned or as declared. */
async function findMaxPageSize(context: ProbeContext, list: ObservedList, param: string): Promise<void> {
  const page = await requestPage(context, list, { [param]: `${LARGE_PAGE_SIZE}` });
  if (!page) return;
  const isTruncated = hasMorePages(page.parsedPage);
  const declaredSize = page.parsedPage.signs.size;
  const maxSize = isTruncated
    ? page.parsedPage.count
    : declaredSize !== undefined && declaredSize < LARGE_PAGE_SIZE
      ? declaredSize
      : undefined;
  // If the large page held everything, the first page shows the default size.
  const shownSize = !isTruncated && page.parsedPage.count > list.parsedPage.count ? list.parsedPage.count : undefined;
  const defaultSize = context.pagination.size?.default ?? list.parsedPage.signs.size ?? shownSize;
  context.pagination.size = omitUndefined({
    ...context.pagination.size,
    max: maxSize || undefined,
    default: defaultSize || undefined,
  });
}

function collectFieldNames(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 2) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...collectFieldNames(inner, depth + 1)]);
}
