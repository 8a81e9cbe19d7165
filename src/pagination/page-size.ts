/** Page sizes, and whether a profile's facts about them and about the next page hold. */
import {
  DEFAULT_PAGE_SIZE,
  isBodyRejected,
  LIST_PARAMS,
  MAX_PAGE_SIZE,
  PAGE_REJECTED_STATUSES,
} from '../assumptions/index.ts';
import { ApiError } from '../errors.ts';
import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from '../profile/active-profile.ts';
import { type ActiveScheme, getActiveScheme } from './active-scheme.ts';
import type { NextQuery } from './next-url.ts';
import type { ParsedPage } from './page.ts';
import { isSizeParam } from './parameters.ts';
import type { PageRequest } from './try-steps.ts';

/** Without a profile: the usual parameter, for more entries than a page usually has. */
const ASSUMED_SIZE = { param: LIST_PARAMS.limit, max: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE };

/**
 * Returns the parameter for the largest pages that may work, if the caller requests no size but wants more entries than
 * a usual page has.
 */
export function getLargePageQuery(
  scheme: ActiveScheme | undefined,
  { wanted = 0, query }: { wanted: number | undefined; query: URLSearchParams },
): NextQuery | undefined {
  const { param, max, default: usual = 0 } = scheme ? (scheme.size ?? {}) : ASSUMED_SIZE;
  if (param === undefined || [...query.keys()].some((name) => name === param || isSizeParam(name))) return undefined;
  const entries = Math.min(max ?? MAX_PAGE_SIZE, wanted);
  return entries > usual ? { [param]: String(Math.ceil(entries)) } : undefined;
}

/** Returns the parameter for pages of a size: by the name in the profile, and no larger than is known to work. */
export function createPageSizeQuery(
  learned: ActiveProfile | undefined,
  { operation, size }: { operation: OperationName; size: number },
): Readonly<Record<string, number>> {
  const { param, max } = getActiveScheme(learned, operation)?.size ?? {};
  return param === undefined ? { [LIST_PARAMS.limit]: size } : { [param]: Math.min(size, max ?? size) };
}

/** Returns the page size of the request for a page after the first. */
export function getNextPageSizeQuery(
  pageRequest: PageRequest | undefined,
  scheme: ActiveScheme | undefined,
): NextQuery | undefined {
  const param = (scheme ? scheme.sizeParam : LIST_PARAMS.limit) ?? '';
  const value = pageRequest?.step.query[param];
  return value === undefined ? undefined : { [param]: value };
}

/** Requests a first page of a size, or without it if the service rejects it, which `rejected` remembers by list. */
export async function fetchFirstPage(
  fetch: (size?: NextQuery) => Promise<ParsedPage>,
  options: { name: string; size: NextQuery | undefined; scheme: ActiveScheme | undefined; rejected: Set<string> },
): Promise<ParsedPage> {
  const { name, size, scheme, rejected } = options;
  if (!size || rejected.has(name)) return fetch();
  const [param = ''] = Object.keys(size);
  const read = await fetch(size).catch((error: unknown) => {
    if (!(error instanceof ApiError) || !isBodyRejected(error)) throw error;
    return error.status;
  });
  if (typeof read === 'number') {
    const plain = await fetch();
    rejected.add(name);
    scheme?.contradict('size', `rejected with status ${read}`);
    return plain;
  }
  if (!scheme) return read;
  if (read.count > 0) {
    // As many entries as without the parameter, and more after them.
    const isIgnored = read.count === scheme.size?.default && read.page.cursor?.explicit === true;
    if (isIgnored) scheme.contradict('size', `a page of ${read.count}`);
    else scheme.confirm('size');
    return read;
  }
  // An unusual name may be that of a filter.
  if (isSizeParam(param) || scheme.isConfirmed('size')) return read;
  const plain = await fetch();
  if (plain.count > 0) scheme.contradict('size', 'an empty page');
  return plain;
}

/** Requests a page after the first, and notes whether the profile led to it. */
export async function fetchNextPageByProfile(
  fetch: () => Promise<ParsedPage>,
  { pageRequest, scheme }: { pageRequest: PageRequest; scheme: ActiveScheme },
): Promise<ParsedPage> {
  try {
    const read = await fetch();
    noteOutcome(read, pageRequest, scheme);
    return read;
  } catch (error) {
    noteRejection(error, pageRequest, scheme);
    throw error;
  }
}

function noteOutcome(read: ParsedPage, { step, from }: PageRequest, scheme: ActiveScheme): void {
  const isOther = read.page.items.length > 0 && read.fingerprint !== from.fingerprint;
  if (scheme.next?.by === 'none' && isOther) scheme.contradict('next', 'another page');
  if (!from.steps.some(({ learned }) => learned)) return;
  if (!step.learned) {
    if (isOther) scheme.contradict('next', 'nothing there, and a page by another name');
  } else if (isOther) scheme.confirm('next');
  else if (read.count > 0) scheme.contradict('next', 'the same page again');
}

/** A page number may be rejected because there is no such page. */
function noteRejection(error: unknown, { step }: PageRequest, scheme: ActiveScheme): void {
  const isRejected = error instanceof ApiError && PAGE_REJECTED_STATUSES.includes(error.status);
  if (isRejected && step.learned && step.by === 'cursor' && !scheme.isConfirmed('next'))
    scheme.contradict('next', `rejected with status ${error.status}`);
}
