import {
  AFTER_ID_PARAMS,
  CURSOR_FIELDS,
  GUESSED_OFFSET_PARAMS,
  GUESSED_PAGE_PARAM,
  MATCHING_POSITION_PARAMS,
  OFFSET_PARAMS,
  PAGE_PARAMS,
  RARE_OFFSET_PARAMS,
  RARE_PAGE_PARAMS,
  SIZE_FIELDS,
  TIME_FILTER,
  USUAL_PAGE_SIZES,
} from '../assumptions/index.ts';
import { normalizeName } from '../records/fields.ts';
import { type NextQuery, PAGE_IN_PATH, type PageRequest } from './next-url.ts';
import { numberOf, type PagingWords } from './parse.ts';

const plainSet = (names: readonly string[]) => new Set(names.map(normalizeName));
export const PAGES = plainSet([...PAGE_PARAMS, ...RARE_PAGE_PARAMS]);
export const OFFSETS = plainSet([...OFFSET_PARAMS, ...RARE_OFFSET_PARAMS]);
export const CURSORS = plainSet(
  [...Object.values(CURSOR_FIELDS).flatMap((params) => params.split(' ')), ...AFTER_ID_PARAMS].filter(
    (param) => !PAGES.has(normalizeName(param)) && !OFFSETS.has(normalizeName(param)),
  ),
);
const SIZES = plainSet(SIZE_FIELDS);
const TIMES = plainSet(TIME_FILTER.params);

export function paramsIn(query: URLSearchParams, names: ReadonlySet<string>): string[] {
  return [...query.keys()].filter((name) => names.has(normalizeName(name)));
}

/** One place under several names that mean the same. */
export function queryOf(params: readonly string[], value: string | number): NextQuery {
  return Object.fromEntries(params.map((param) => [param, String(value)]));
}

/** Whether a query asks for a place other than the beginning. */
export function asksForPlace(query: URLSearchParams, sure?: ReadonlySet<string>): boolean {
  const isPlace = (names: ReadonlySet<string>) => placesIn(query, names, sure).length > 0;
  return query.has(PAGE_IN_PATH) || [PAGES, OFFSETS, CURSORS].some(isPlace);
}

/** Parameters that ask for a place. Under the name of one may stand a filter, as in `from=2024-01-01`; not among those that are `sure`. */
export function placesIn(
  query: URLSearchParams,
  names: ReadonlySet<string>,
  sure: ReadonlySet<string> = new Set(),
): string[] {
  const given = paramsIn(query, names);
  const mayBe = names === CURSORS ? mayBeCursor : mayBeNumber;
  // A cursor may be asked for by several names at once.
  if (names === CURSORS && given.length > 1) return given;
  return given.filter((name) => sure.has(name) || mayBe(name, query.get(name) ?? ''));
}

function mayBeCursor(name: string, value: string): boolean {
  return !TIMES.has(normalizeName(name)) || !TIME_FILTER.value.test(value);
}

function mayBeNumber(_: string, value: string): boolean {
  const number = numberOf(value);
  return number !== undefined && number < TIME_FILTER.minSeconds;
}

/** Queries without what the caller asks for by the name of a place. */
export function sparing(queries: readonly NextQuery[], filters: ReadonlySet<string>): readonly NextQuery[] {
  if (filters.size === 0) return queries;
  return queries.flatMap((query) => {
    const left = Object.entries(query).filter(([name]) => !filters.has(name));
    return left.length > 0 ? [Object.fromEntries(left)] : [];
  });
}

/** What may ask for the page behind a first one of so many entries, whatever the style of the service. */
export function guessesBehind(query: URLSearchParams, count: number): NextQuery[] {
  return [...familyGuesses(query, count), ...pageGuesses(count)];
}

/** What else may ask for it where more was announced: for the numbers that the next page may have, and for so many entries. */
export function rareGuesses(numbers: readonly number[], count: number): NextQuery[] {
  const pages = numbers.map((number) => queryOf(RARE_PAGE_PARAMS, number));
  return [...pages, queryOf(RARE_OFFSET_PARAMS, count)];
}

/** The caller's own parameter may tell which names the service knows. */
function familyGuesses(query: URLSearchParams, count: number): NextQuery[] {
  return Object.entries(MATCHING_POSITION_PARAMS).flatMap(([given, param]) => {
    if (!query.has(given)) return [];
    return OFFSETS.has(normalizeName(param))
      ? [{ [param]: `${count}` }]
      : [{ [param]: '1' }, { [param]: '2' }];
  });
}

/** Page 1 before page 2: where pages are counted from 0, page 2 would leave one out. */
function pageGuesses(count: number): NextQuery[] {
  const numbers = [1, 2].map((number) => queryOf([GUESSED_PAGE_PARAM], number));
  if (count === 0) return numbers;
  // Both names at once, and then each: a service may refuse one that it does not know.
  const singles = GUESSED_OFFSET_PARAMS.map((param) => queryOf([param], count));
  return [...numbers, queryOf(GUESSED_OFFSET_PARAMS, count), ...singles];
}

/** Where nothing says whether more follows: a list that is exactly as long as a page was asked to be, or as full as a page. */
export function mayBeCut(page: { asked: PageRequest; words: PagingWords; count: number }): boolean {
  return isAsLongAsAsked(page) || mayBeFull(page.words, page.count);
}

export function isAsLongAsAsked({ asked, count }: { asked: PageRequest; count: number }): boolean {
  const [sizeParam = ''] = paramsIn(asked.query, SIZES);
  return count === numberOf(asked.query.get(sizeParam));
}

/** An answer that is as long as it says that its pages are, or as they usually are; or that calls itself a part. */
export function mayBeFull({ size, partial }: PagingWords, count: number): boolean {
  return partial === true || count === size || USUAL_PAGE_SIZES.includes(count);
}

/** A number that is named as the next place is an offset only where so many entries have come. */
export function isOtherOffset(query: NextQuery, read: number | undefined): boolean {
  const at = numberOf(query['offset']);
  return at !== undefined && Object.keys(query).length === 1 && read !== undefined && at !== read;
}
