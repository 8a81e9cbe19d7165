import { isBodyRejected, LIST_PARAMS, MAX_PAGE_SIZE, PAGE_NOT_FOUND_STATUSES } from '../assumptions/index.ts';
import { ApiError } from '../errors.ts';
import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from '../profile/active-profile.ts';
import { type ActiveListProfile, getActiveListProfile } from './active-list-profile.ts';
import type { PageFetcher } from './iterate.ts';
import { isUsualSizeParam, sizeParamsIn } from './known-scheme.ts';
import type { NextQuery } from './next-url.ts';
import type { ParsedPage } from './page.ts';

type Place = NonNullable<Parameters<PageFetcher>[0]>;

/**
 * What asks for pages as large as is known to work, where more is wanted than a page usually holds and the caller asks for
 * no size.
 */
export function createSizeQuery(
  { size = {} }: ActiveListProfile,
  { maxItems = 0, query }: { maxItems: number | undefined; query: URLSearchParams },
): NextQuery | undefined {
  const { param, most, usual = 0 } = size;
  if (param === undefined || sizeParamsIn(query, param).length > 0) return undefined;
  const entries = Math.min(most ?? MAX_PAGE_SIZE, maxItems);
  return entries > usual ? { [param]: String(Math.ceil(entries)) } : undefined;
}

/** What asks for pages of a size: by the name that was learned, and no larger than is known to work. */
export function getPageSizeParams(
  learned: ActiveProfile | undefined,
  { operation, size }: { operation: OperationName; size: number },
): Readonly<Record<string, number>> {
  const { param, most } = getActiveListProfile(learned, operation)?.size ?? {};
  return param === undefined ? { [LIST_PARAMS.limit]: size } : { [param]: Math.min(size, most ?? size) };
}

/** The size that led to a later page. */
export function getSizeQuery(
  place: Place | undefined,
  facts: ActiveListProfile | undefined,
): NextQuery | undefined {
  const param = facts?.sizeParam;
  const value = param === undefined ? undefined : place?.query[param];
  return param === undefined || value === undefined ? undefined : { [param]: value };
}

/** A first page of a size, or without where the service does not take it. */
export async function fetchSizedPage(
  ask: (size?: NextQuery) => Promise<ParsedPage>,
  { size, facts }: { size: NextQuery | undefined; facts: ActiveListProfile },
): Promise<ParsedPage> {
  if (!size) return ask();
  const [param = ''] = Object.keys(size);
  let read: ParsedPage;
  try {
    read = await ask(size);
  } catch (error) {
    if (!(error instanceof ApiError) || !isBodyRejected(error)) throw error;
    const without = await ask();
    facts.doubt('size', `refused with ${error.status}`);
    return without;
  }
  if (read.count > 0) {
    // As many as without asking, and more behind them; fewer than were asked for may be all that there are.
    const isIgnored = read.count === facts.size?.usual && read.page.cursor?.said === true;
    if (isIgnored) facts.doubt('size', `a page of ${read.count}`);
    else facts.prove('size');
    return read;
  }
  // A name that no list is known to have may ask for something else, such as entries of that name.
  if (isUsualSizeParam(param) || facts.isProven('size')) return read;
  const without = await ask();
  if (without.count > 0) facts.doubt('size', 'an empty page');
  return without;
}

/** A later page; whether the learned parameter led to it is kept. */
export async function fetchNextPage(
  ask: (facts?: ActiveListProfile) => Promise<ParsedPage>,
  { place, facts }: { place: Place; facts: ActiveListProfile },
): Promise<ParsedPage> {
  const { next } = facts;
  if (next?.by === 'none') {
    const read = await ask();
    if (read.page.items.length > 0) facts.doubt('next', 'another page');
    return read;
  }
  const [likeliest = {}] = [...(place.from.before ?? []), ...place.from.queries];
  if (!next || !place.from.learned) return ask();
  if (place.query !== likeliest) {
    const { next: _, ...others } = facts;
    const read = await ask(others);
    if (read.page.items.length > 0) facts.doubt('next', 'nothing there, and a page by another name');
    return read;
  }
  try {
    const read = await ask();
    if (read.count > 0 && read.fingerprint === place.from.print) facts.doubt('next', 'the same page again');
    else if (read.page.items.length > 0) facts.prove('next');
    else if (read.count === 0 && !place.from.said && !facts.isProven('next'))
      return { ...read, doubtful: true };
    return read;
  } catch (error) {
    const isRefused = error instanceof ApiError && PAGE_NOT_FOUND_STATUSES.includes(error.status);
    // A page of a number may simply be no more.
    if (isRefused && next.by === 'cursor' && !facts.isProven('next'))
      facts.doubt('next', `refused with ${error.status}`);
    throw error;
  }
}
