import {
  AFTER_ID_PARAMS,
  GUESSED_OFFSET_PARAMS,
  GUESSED_PAGE_PARAM,
  USUAL_PAGE_SIZES,
} from '../assumptions/index.ts';
import { isObject, normalizeName } from '../records/fields.ts';
import {
  asksForPlace,
  CURSORS,
  guessesBehind,
  isAsLongAsAsked,
  isOtherOffset,
  mayBeCut,
  OFFSETS,
  PAGES,
  paramsIn,
  placesIn,
  queryOf,
  rareGuesses,
  sparing,
} from './guess.ts';
import type { NextQuery, PageRequest } from './next-url.ts';
import { numberOf, type PagingWords, type Position, spellings } from './parse.ts';

/**
 * Where a list goes on, as JSON: given as `from` to the same call, also later and in another process, it continues with
 * the same guards.
 */
export interface PageCursor {
  /** Queries that may lead on, likeliest first; each is tried while the service gives the same page again. */
  readonly queries: readonly NextQuery[];
  /** Queries of another kind that a profile knows and that have not led on yet: tried before those. */
  readonly before?: readonly NextQuery[];
  /** The likeliest query was read by what a profile says. */
  readonly learned?: true;
  /** Whether the service said that more follows; else only asking can tell. */
  readonly said: boolean;
  /** Nothing said so, and no page behind the first has come: whatever is refused here, the list may simply be whole. */
  readonly unproven?: true;
  /** Who made the query: the service itself, the number of the page that it gave, or a guess of ours. */
  readonly by: 'cursor' | 'number' | 'guess';
  /** Print of the page before: a service that ignores the query gives it again. */
  readonly print: string;
  /** Prints of it that hold in any order and beside fields that change, while it is the only page. */
  readonly marks?: readonly string[];
  /** What tells its first entries from others, while it is the only page and several queries may lead on. */
  readonly first?: readonly string[];
  /** Short prints of the ids of its last entries: a list that has grown meanwhile begins its next page with them. */
  readonly tail?: string;
  /** Entries read up to here; undefined where the list was not read from its beginning. */
  readonly read?: number;
  /** The least total that the service has named. */
  readonly total?: number;
  /** The number of the first page or entry. */
  readonly base?: number;
  /** The service counts its pages, and this is one of them. */
  readonly counted?: true;
}

/** Whether a value has the form of an {@link PageCursor}: it may come from outside. */
export function isPageCursor(value: unknown): value is PageCursor {
  if (!isObject(value)) return false;
  const {
    queries,
    before = [],
    said,
    by,
    print,
    marks = [],
    first = [],
    tail = '',
    read,
    total,
    base,
  } = value;
  return (
    [queries, before].every(
      (all) =>
        Array.isArray(all) && all.every((query) => isObject(query) && Object.values(query).every(isParam)),
    ) &&
    typeof said === 'boolean' &&
    (by === 'cursor' || by === 'number' || by === 'guess') &&
    typeof print === 'string' &&
    typeof tail === 'string' &&
    [marks, first].every((prints) => Array.isArray(prints)) &&
    [read, total, base].every((number) => number === undefined || Number.isSafeInteger(number))
  );
}

function isParam(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

/** A page as it is counted. */
export interface Counted {
  readonly words: PagingWords;
  readonly asked: PageRequest;
  /** Entries of the answer, and those of them that no page before had. */
  readonly count: number;
  readonly fresh: number;
  readonly lastId: string | undefined;
  /** What led to this page; undefined for the first that a call reads. */
  readonly from: PageCursor | undefined;
}

export type Way = Pick<PageCursor, 'queries' | 'before' | 'learned' | 'said' | 'by' | 'base' | 'counted'>;
export interface Verdict {
  readonly way?: Way;
  readonly read: number | undefined;
  readonly total: number | undefined;
  /** In words, why the list can't be read to its end although there is more. */
  readonly gap?: string;
}

const PLACES = [
  { kind: 'page', params: PAGES, said: (words: PagingWords) => words.page },
  { kind: 'offset', params: OFFSETS, said: (words: PagingWords) => words.offset },
] as const;

/** How a list goes on behind a page, or that it ends there, and whether that is all there is. */
export function findWay(page: Counted): Verdict {
  const { from, fresh } = page;
  const before = from ? from.read : asksForPlace(page.asked.query, sureOf(page)) ? undefined : 0;
  const read = before === undefined ? undefined : before + fresh;
  const total = totalOf(page, read);
  const way = wayBehind(page, { read, total });
  if (typeof way === 'string') return { read, total, gap: way };
  if (way) {
    // A cursor of the service's own may belong under any name that stands for it; the likeliest come first.
    const queries = way.by === 'cursor' ? way.queries : sparing(way.queries, filtersOf(page));
    return { way: { ...way, queries }, read, total };
  }
  return read !== undefined && total !== undefined && read < total
    ? { read, total, gap: `the service counts ${total} and gave ${read}` }
    : { read, total };
}

/** The least total that was named; one of less than what came is none. */
function totalOf({ words, from, count }: Counted, read: number | undefined): number | undefined {
  // Where a page is empty some count nothing at all.
  const said = words.total === 0 && count === 0 && from ? undefined : words.total;
  const named = [said, from?.total].filter((total) => total !== undefined);
  if (named.length > 0) {
    const least = Math.min(...named);
    return least < Math.max(count, read ?? 0) ? undefined : least;
  }
  // A `count` may be that of the page; it is one of all entries where nothing else says how the list goes on.
  const isSilent = words.more === undefined && !words.ended && words.lastPage === undefined;
  const whole = isSilent && words.next.length === 0 && !isSize(words, count) ? words.count : undefined;
  return whole !== undefined && whole > Math.max(count, (read ?? 0) - 1) ? whole : undefined;
}

/** Beside the place of a page a `count` may be that of any page: it is a usual one, and more than an unusual number came. */
function isSize({ page, offset, size, count = 0 }: PagingWords, came: number): boolean {
  const isPlaced = size === undefined && (page ?? offset) !== undefined;
  return isPlaced && USUAL_PAGE_SIZES.includes(count) && !USUAL_PAGE_SIZES.includes(came);
}

interface Known {
  readonly read: number | undefined;
  readonly total: number | undefined;
}

/** The way on, or in words why there is none although more was announced. */
function wayBehind(page: Counted, known: Known): Way | string | undefined {
  const { words, from, count, lastId } = page;
  // With ids what comes twice is left out.
  const isLate = from?.base === 1 && count > 0 && lastId === undefined && words.offset?.at === from.read;
  if (isLate) return 'the service counts its entries otherwise than it is asked for them, and one came twice';
  if (words.more === false) return undefined;
  if (words.refused !== undefined) return words.refused;
  const place = placeOf(page);
  // A field that holds an offset by its name asks for it first.
  const next = words.next.filter((query, at) => at === 0 || !isOtherOffset(query, known.read));
  if (next.length > 0)
    return {
      queries: learned(next, page),
      said: true,
      by: 'cursor',
      ...(place ? { base: place.base } : {}),
    };
  const way = place
    ? withGuesses(page, place, (place.kind === 'page' ? nextPage : nextOffset)(page, known, place))
    : firstGuess(page, known);
  // A service that names the next place names none at its end: there is nothing to be guessed.
  const isNamedEnd = page.from?.by === 'cursor' && typeof way === 'object' && !way.said;
  return isNamedEnd ? undefined : way;
}

/** The words of a first page may name a place that the service takes under no such name: what else is usual stands behind. */
function withGuesses(page: Counted, { kind, at }: Place, way: Way | string | undefined) {
  const { asked, count, from } = page;
  if (typeof way !== 'object' || from || asksForPlace(asked.query, sureOf(page))) return way;
  if (!way.said && !mayBeCut(page)) return way;
  const here = kind === 'page' ? [queryOf([GUESSED_PAGE_PARAM], at)] : [];
  const known = new Set([...here, ...way.queries].map((query) => JSON.stringify(query)));
  const rare = way.said ? rareGuesses(kind === 'page' ? [at + 1] : [1, 2], count) : [];
  const guesses = [...guessesBehind(asked.query, count), ...rare].filter(
    (query) => !known.has(JSON.stringify(query)),
  );
  return { ...way, queries: [...way.queries, ...guesses] };
}

/** Of several names for the place, the one that has led here. */
function learned(queries: readonly NextQuery[], page: Counted): readonly NextQuery[] {
  const { query } = page.asked;
  const filters = filtersOf(page);
  const used = queries.filter((one) =>
    Object.keys(one).every((param) => query.has(param) && !filters.has(param)),
  );
  return used.length > 0 ? used : queries;
}

interface Place {
  readonly kind: 'page' | 'offset';
  readonly at: number;
  /** What asks for another, likeliest first; names that stand together are asked together. */
  readonly names: readonly (readonly string[])[];
  /** The number of the first page or entry. */
  readonly base: number;
  readonly by: 'number' | 'guess';
}

/** Where the answer, or else the question, says that this page stands. */
function placeOf(page: Counted): Place | undefined {
  const { words, asked } = page;
  const hasMoved = PLACES.some(({ params }) => movedTo(page, params) !== undefined);
  for (const { kind, params, said } of PLACES) {
    const position = said(words);
    const given = placesOf(page, params);
    const here = behind(page, { kind, position, given });
    // A number that nobody asked for is a place only at the beginning: `from` may also be a date.
    const isAsked = given.length > 0 || (!hasMoved && (here ?? position?.at ?? 0) <= 1);
    if (!position || !isAsked) continue;
    const names = given.length > 0 ? [given] : position.params.map((param) => [param]);
    // Some name the next place under the same word.
    const at = movedTo(page, params) ?? here ?? position.at;
    const base =
      position.base === undefined
        ? baseOf(page, { kind, at, given })
        : Math.min(position.base, page.from?.base ?? at);
    return { kind, at, names, base, by: 'number' };
  }
  for (const { kind, params } of PLACES) {
    const given = placesOf(page, params);
    const at = numberOf(asked.query.get(given[0] ?? ''));
    if (at !== undefined)
      return { kind, at, names: [given], base: baseOf(page, { kind, at, given }), by: 'guess' };
  }
  return undefined;
}

/** The place of a page whose answer names the next one under the same word: just as far on as it has entries. */
function behind(
  { asked, count }: Counted,
  {
    kind,
    position,
    given,
  }: { kind: Place['kind']; position: Position | undefined; given: readonly string[] },
): number | undefined {
  const [own = ''] = position?.params ?? [];
  const isPlain = given.length > 0 || GUESSED_OFFSET_PARAMS.includes(normalizeName(own));
  if (kind !== 'offset' || !isPlain || count === 0) return undefined;
  const at = numberOf(asked.query.get(given[0] ?? '')) ?? 0;
  return position?.at === at + count ? at : undefined;
}

/** The parameters by which the page was asked for: the caller's own may be a filter. */
function ledBy({ from, asked }: Counted, names: ReadonlySet<string>): string[] {
  const led = new Set(from?.queries.flatMap((query) => Object.keys(query)));
  return paramsIn(asked.query, names).filter((name) => led.has(name));
}

/** Parameters that ask for a place beyond doubt: they led here, lead on, or a cursor has just come to its end. */
function sureOf(page: Counted): ReadonlySet<string> {
  const { words, asked } = page;
  const led = [PAGES, OFFSETS, CURSORS].flatMap((names) => ledBy(page, names));
  const ended = words.ended ? paramsIn(asked.query, CURSORS) : [];
  return new Set([...led, ...Object.keys(words.next[0] ?? {}), ...ended]);
}

function placesOf(page: Counted, names: ReadonlySet<string>): string[] {
  return placesIn(page.asked.query, names, sureOf(page));
}

/** Parameters of the caller's that have the name of a place and are none. */
function filtersOf(page: Counted): ReadonlySet<string> {
  const filters = [PAGES, OFFSETS, CURSORS].flatMap((names) => {
    const places = new Set(placesOf(page, names));
    return paramsIn(page.asked.query, names).filter((name) => !places.has(name));
  });
  return new Set(filters);
}

/** The place that was asked for, where nothing but new entries came: the number in the answer may stand still. */
function movedTo(page: Counted, names: ReadonlySet<string>): number | undefined {
  const { asked, count, fresh } = page;
  const [param = ''] = count > 0 && fresh === count ? ledBy(page, names) : [];
  return numberOf(asked.query.get(param));
}

/** What the first page or entry is counted as: a first answer shows it, and so does a guess that led on. */
function baseOf(
  page: Counted,
  { kind, at, given }: { kind: Place['kind']; at: number; given: readonly string[] },
): number {
  const { from } = page;
  if (kind === 'page' && isGuessed(page, { at, given })) return at - 1;
  if (from?.base !== undefined) return from.base;
  if (kind === 'page' && from?.by === 'guess') return at - 1;
  if (!from && given.length === 0) return at;
  return kind === 'page' ? Math.min(at, 1) : 0;
}

/** Whether the page that came was asked for by a guess, not by the place that the answer before had named. */
function isGuessed(
  { from, asked }: Counted,
  { at, given }: { at: number; given: readonly string[] },
): boolean {
  if (from?.by !== 'number' || at > 2 || given.length === 0) return false;
  const named = Object.entries(from.queries[0] ?? {});
  return !named.some(
    ([param, value]) => PAGES.has(normalizeName(param)) && asked.query.get(given[0] ?? '') === value,
  );
}

function nextPage(page: Counted, known: Known, place: Place): Way | string | undefined {
  const { words, count } = page;
  const { at, names, base, by } = place;
  const queries = names.map((params) => queryOf(params, at + 1));
  const go = (said: boolean): Way => ({ queries, said, by, base });
  const { from } = page;
  if (from?.by === 'number' && from.base === 1 && at === 2 && words.page?.at === 3)
    return 'the service numbers its pages otherwise than it is asked for them, and one was left out';
  if (words.lastPage !== undefined)
    return at + 1 - base < words.lastPage ? { ...go(true), counted: true } : undefined;
  if (words.more === true) return go(true);
  if (count === 0) return undefined;
  const { read, total } = known;
  if (total !== undefined && (read !== undefined || words.size !== undefined))
    return (read ?? (at - base) * (words.size ?? 0) + count) < total ? go(true) : undefined;
  return words.ended ? undefined : go(false);
}

function nextOffset(page: Counted, known: Known, place: Place): Way | string | undefined {
  const { words, count } = page;
  const { at, names, base, by } = place;
  // What came, not what was asked for: a service may give fewer.
  const step = count > 0 ? count : (words.size ?? 0);
  const queries = names.map((params) => queryOf(params, at + step));
  const go = (said: boolean): Way => ({ queries, said, by, base });
  if (words.more === true)
    return step > 0 ? go(true) : 'the service says that more follows behind an empty page';
  const { read, total } = known;
  // What came twice, where entries came or went meanwhile, has not brought the list further.
  const isBehind = count > 0 && read !== undefined && total !== undefined && read < total;
  if (total !== undefined && step > 0) return at - base + step < total || isBehind ? go(true) : undefined;
  return words.ended || count === 0 ? undefined : go(false);
}

/** The first step where no answer says its place: several styles may fit, and each is tried until one gives a new page. */
function firstGuess(page: Counted, { read, total }: Known): Way | string | undefined {
  const { words, asked, count, lastId } = page;
  const used = placesOf(page, CURSORS);
  const spelled = spellings(AFTER_ID_PARAMS, words.moreField ?? '');
  const ids = lastId === undefined ? [] : used.length > 0 ? used : spelled.slice(0, AFTER_ID_PARAMS.length);
  const known =
    used.length > 0 || lastId === undefined
      ? []
      : (words.after ?? []).map((param) => queryOf([param], lastId));
  const byId = [...known, ...(ids.length > 0 ? [queryOf(ids, lastId ?? '')] : [])];
  const guesses = used.length > 0 ? [] : guessesBehind(asked.query, count);
  // A service that refuses parameters it does not know takes one at a time.
  const singles =
    lastId === undefined || used.length > 0 ? [] : spelled.map((param) => queryOf([param], lastId));
  const go = (queries: readonly NextQuery[], said: boolean): Way | string =>
    queries.length > 0
      ? {
          queries: said && used.length === 0 ? [...queries, ...rareGuesses([1, 2], count)] : queries,
          said,
          by: 'guess',
        }
      : 'the service says that more follows, and nothing says how to ask for it';
  if (words.more === true) return go([...byId, ...guesses, ...singles], true);
  if (words.lastPage !== undefined)
    return words.lastPage > 1 && used.length === 0 ? go(guesses, true) : undefined;
  const goesById = words.after !== undefined && byId.length > 0;
  if (words.ended || (used.length > 0 && !goesById) || count === 0) return undefined;
  const ways = goesById ? [...byId, ...guesses] : guesses;
  // Where a page came as long as it was asked to be, a total of just as many may be that of the page.
  const isOfPage = total === count && isAsLongAsAsked(page);
  if (total !== undefined && !isOfPage)
    return read !== undefined && read < total ? go(ways, true) : undefined;
  return mayBeCut(page) ? go(ways, false) : undefined;
}
