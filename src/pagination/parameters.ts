/** Kinds of query parameters, by their names and values. */
import * as assumed from '../assumptions/index.ts';
import { createNameSet, normalizeName } from '../records/fields.ts';
import { type ListRequest, PATH_KEY } from './next-url.ts';
import type { Step } from './signs.ts';
import { parseWholeNumber } from './values.ts';

const PAGES = createNameSet([...assumed.PAGE_PARAMS, ...assumed.RARE_PAGE_PARAMS]);
const OFFSETS = createNameSet([...assumed.OFFSET_PARAMS, ...assumed.RARE_OFFSET_PARAMS]);
const CURSORS = createNameSet([
  ...Object.values(assumed.CURSOR_FIELDS).flatMap((params) => params.split(' ')),
  ...assumed.AFTER_ID_PARAMS,
]);
const SIZES = createNameSet(assumed.SIZE_FIELDS);

export function isSizeParam(name: string): boolean {
  return SIZES.has(normalizeName(name));
}

/** Returns true if a parameter takes a number, not a cursor. */
export function isNumberParam(name: string): boolean {
  return PAGES.has(normalizeName(name)) || OFFSETS.has(normalizeName(name));
}

/** Returns true if a parameter requests a position in a list. A filter may have the same name, as in `from=2024-01-01`. */
function isPositionParam(name: string, value: string): boolean {
  if (isNumberParam(name)) {
    const number = parseWholeNumber(value);
    return number !== undefined && number < assumed.TIME_FILTER.minSeconds;
  }
  return CURSORS.has(normalizeName(name)) && !assumed.TIME_FILTER.value.test(value);
}

/** Returns true if a query requests a page other than the first. */
export function requestsPosition(query: URLSearchParams): boolean {
  return query.has(PATH_KEY) || [...query].some(([name, value]) => isPositionParam(name, value));
}

/** Returns the parameters of a query that number a page, or an entry. */
export function getNumberParams(query: URLSearchParams, kind: 'page' | 'offset'): string[] {
  const names = kind === 'page' ? PAGES : OFFSETS;
  return [...query]
    .filter(([name, value]) => names.has(normalizeName(name)) && isPositionParam(name, value))
    .map(([name]) => name);
}

/** Returns true if the caller filters the list by a parameter of this name, which a step must not overwrite. */
export function isCallerFilter(name: string, { listUrl }: ListRequest): boolean {
  const value = listUrl.searchParams.get(name);
  return value !== null && !isPositionParam(name, value);
}

/** Returns true if a step overwrites a filter of the caller. */
export function overwritesFilter({ query }: Step, request: ListRequest): boolean {
  return Object.keys(query).some((name) => isCallerFilter(name, request));
}

/** Returns the parameters of a step that request a position, without those for the page size. */
export function getPositionParams({ query }: Step, { size = {} }: Pick<ListRequest, 'size'> = {}): string[] {
  return Object.keys(query).filter((name) => !isSizeParam(name) && !Object.hasOwn(size, name));
}

/** Returns the page sizes that a request asks for. */
export function getRequestedSizes({ query }: ListRequest): number[] {
  return [...query].flatMap(([name, value]) => (isSizeParam(name) ? (parseWholeNumber(value) ?? []) : []));
}
