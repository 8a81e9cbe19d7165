import { PAGE_GONE_STATUSES, PAGE_NOT_FOUND_STATUSES } from '../assumptions/index.ts';
import { ApiError, UnexpectedResponseError } from '../errors.ts';
import { type JsonObject, normalizeName } from '../records/fields.ts';
import { namesOf, TAILS, tailPrints } from './fingerprint.ts';
import { OFFSETS, PAGES } from './guess.ts';
import type { PageCursor } from './next-page.ts';
import type { NextQuery } from './next-url.ts';
import type { Page, ParsedPage } from './page.ts';
import { FailedPageError, gapOf, meaningOf, type Refusal } from './page-error.ts';
import { numberOf } from './parse.ts';

/** Asks for one page of a list. */
export type PageFetcher = (place?: {
  readonly query: NextQuery;
  readonly from: PageCursor;
  readonly known: ReadonlySet<string>;
}) => Promise<ParsedPage>;

/** Pages in a row that bring nothing new, after which a list counts as one that never ends. */
const MOST_IDLE_PAGES = 500;

/** Pages without ids that guesses alone led to, after which it stays unknown whether the list has an end. */
const MOST_GUESSED_PAGES = 1000;

/** What a walk has seen: a service that ignores what it is asked answers the same for ever. */
interface Seen {
  /** Of entries, and what stands for those of a first page that have none. */
  readonly ids: Set<string>;
  readonly prints: Set<string>;
  readonly places: Set<string>;
  /** Answers in a row that brought nothing new. */
  idle: number;
  /** Pages without ids that guesses led to. */
  guessed: number;
}

const seenOf = ({ first = [], tail, print }: Partial<PageCursor> = {}): Seen => ({
  ids: new Set([...first, ...(tail ? [TAILS, ...tailPrints(tail)] : [])]),
  prints: new Set(print === undefined ? [] : [print]),
  places: new Set(),
  idle: 0,
  guessed: 0,
});

/** What a walk has to know of a page. */
export type WalkedPage = Pick<ParsedPage, 'page' | 'count' | 'ids' | 'fingerprint' | 'values'> &
  Partial<Pick<ParsedPage, 'more' | 'paginationInfo'>>;

type Reached = ParsedPage | { readonly end: Page<JsonObject> };

/** The pages of a list from `first` on, each without what earlier ones had; the last one says whether that is all. */
export async function* walkList(first: WalkedPage, ask: PageFetcher): AsyncGenerator<Page<JsonObject>> {
  const seen = seenOf();
  let read: WalkedPage = first;
  for (;;) {
    const { page, count, fingerprint, ids } = read;
    const isIdle = page.items.length === 0 || (!ids && count > 0 && seen.prints.has(fingerprint));
    seen.idle = isIdle ? seen.idle + 1 : 0;
    for (const id of ids ?? read.values ?? []) seen.ids.add(id);
    if (count > 0) seen.prints.add(fingerprint);
    const { cursor } = page;
    if (!cursor) return yield page;
    const place = JSON.stringify(cursor.queries[0]);
    const repeated = seen.places.has(place);
    const ending = seen.idle > 0 ? endingOf(read, { idle: seen.idle, repeated }) : undefined;
    if (ending) return yield ended(page, ending);
    if (!ids && cursor.by === 'guess' && !cursor.said && seen.guessed >= MOST_GUESSED_PAGES)
      return yield ended(page, { gap: `${seen.guessed} pages were guessed, and nothing says where it ends` });
    yield page;
    const next = await goOn(cursor, ask, seen);
    if ('end' in next) {
      if (next.end.incompleteReason !== undefined) yield next.end;
      return;
    }
    if (!cursor.said) seen.guessed += 1;
    read = next;
  }
}

/** Why a page that brings nothing new is the last: a gap in words, or null where the list has simply ended. */
function endingOf(
  { page, count, more, paginationInfo }: WalkedPage,
  { idle, repeated }: { idle: number; repeated: boolean },
) {
  const { cursor } = page;
  // Some name the next place without end, behind the last entry too.
  const isCounted = cursor?.total !== undefined && cursor.read === cursor.total;
  const isLast =
    paginationInfo?.lastPage !== undefined &&
    paginationInfo.page !== undefined &&
    paginationInfo.page.at >= paginationInfo.lastPage;
  if (isCounted || isLast) return { gap: undefined };
  if (idle > MOST_IDLE_PAGES) return { gap: `${MOST_IDLE_PAGES} pages in a row brought nothing new` };
  if (!repeated) return undefined;
  // An empty page that leads to itself is how some services say that there is no more.
  const unread = cursor?.total !== undefined && (cursor.read ?? 0) < cursor.total;
  if (count === 0 && more !== true && !unread) return { gap: undefined };
  return { gap: 'the service gave the same cursor again, and nothing new' };
}

function ended(page: Page<JsonObject>, { gap }: { gap: string | undefined }): Page<JsonObject> {
  const { cursor: _, incompleteReason: __, ...rest } = page;
  return {
    ...rest,
    nextQuery: undefined,
    complete: gap === undefined,
    ...(gap === undefined ? {} : { incompleteReason: gap }),
  };
}

/** The page behind `onward`, for a walk that begins there. */
export async function resumeList(onward: PageCursor, ask: PageFetcher): Promise<WalkedPage> {
  const seen = seenOf(onward);
  // A cursor that is refused may be too old: what the service says of it is for who gave it.
  const read = await goOn(onward, ask, seen, PAGE_GONE_STATUSES);
  if ('end' in read) return { page: read.end, count: 0, ids: [], fingerprint: '' };
  const repeated = seen.places.has(JSON.stringify(read.page.cursor?.queries[0]));
  const ending = read.count === 0 ? endingOf(read, { idle: 1, repeated }) : undefined;
  return ending ? { ...read, page: ended(read.page, ending) } : read;
}

/** The page behind `onward`, or an empty last page that says how the list ended. */
async function goOn(
  onward: PageCursor,
  ask: PageFetcher,
  seen: Seen,
  ends: readonly number[] = PAGE_NOT_FOUND_STATUSES,
): Promise<Reached> {
  return tryQueries(onward, ask, seen).catch((error: unknown) => {
    if (!(error instanceof ApiError && ends.includes(error.status))) throw error;
    return { end: { ...lastPage(onward, gapOf(error)), error: error } };
  });
}

async function tryQueries(onward: PageCursor, ask: PageFetcher, seen: Seen): Promise<Reached> {
  let repeated: ParsedPage | undefined;
  let refusal: Refusal | undefined;
  let empty: ParsedPage | undefined;
  /** An answer without a body in place of a page that was announced. */
  let blank: ParsedPage | undefined;
  /** A refusal of a guess that may well hide a page. */
  let doubt: Refusal | undefined;
  /** Whether an answer came again as it was: then none of its fields changes by itself. */
  let isSteady = false;
  let likeness: { read: ParsedPage; query: NextQuery } | undefined;
  /** Answers, and those of them that brought nothing and may have been to a filter. */
  let answers = 0;
  let filtered = 0;
  /** Parameters that gave the page again, and those that gave nothing or a fault. */
  const repeating = new Set<string>();
  const barren = new Set<string>();
  /** Queries that changed nothing: neither will a part of one. */
  const ignored: NextQuery[] = [];
  const queries = [...(onward.before ?? []), ...onward.queries];
  for (const query of queries) {
    const params = Object.keys(query).join(' ');
    if (barren.has(params) || ignored.some((one) => isWithin(query, one))) continue;
    const read = await ask({ query, from: onward, known: seen.ids }).catch((error: unknown) => {
      if (!(error instanceof ApiError || error instanceof UnexpectedResponseError)) throw error;
      const meaning = meaningOf(error, onward);
      if (meaning === 'fault') throw error;
      if (meaning === 'none') refusal = error;
      else {
        doubt = error;
        // Behind a fault there may be a page: the next number would leave it out.
        barren.add(params);
      }
      return undefined;
    });
    answers += 1;
    if (!read) continue;
    isSteady ||= read.count > 0 && read.fingerprint === onward.print;
    if (!isSteady && isLike(read, { onward, query })) {
      likeness ??= { read, query };
      ignored.push(query);
      continue;
    }
    // Some end so where they had said that more follows; one that counts its pages has this one.
    if (onward.counted && (read.page.raw ?? null) === null) {
      blank = read;
      continue;
    }
    if (isRepeat(read, { onward, query, seen })) {
      repeated = read;
      repeating.add(params);
      ignored.push(query);
      seen.idle += 1;
      continue;
    }
    // One of several names takes the place: under the others an empty page leads to itself.
    if (leadsBack(read, { onward, query })) {
      seen.places.add(JSON.stringify(query));
      empty ??= read;
      continue;
    }
    const mayFilter = isFilter(read, { onward, query });
    if (mayFilter) filtered += 1;
    if (mayFilter || (read.doubtful && query !== queries.at(-1))) {
      if (!isMisplaced(query, onward)) empty ??= read;
      continue;
    }
    // What gives another answer for another number is a place; what gives nothing may be a filter.
    if (onward.unproven && saysNothing(read, query) && !repeating.has(params)) {
      empty ??= read;
      barren.add(params);
      continue;
    }
    seen.places.add(JSON.stringify(query));
    return read;
  }
  // What is like the page before, and yet another where nothing changes by itself, is a page of its own.
  if (likeness && isSteady) {
    seen.places.add(JSON.stringify(likeness.query));
    return likeness.read;
  }
  // One of several names takes the place; that all of them give nothing says nothing of the list.
  if (empty && filtered > 2 && filtered === answers)
    return { end: lastPage(onward, 'the service says that more follows, and gives nothing') };
  if (empty) return empty;
  // The service's own words say more than that it refuses its own cursor.
  if (!repeated && refusal && onward.said) throw refusal;
  const instead = blank && !repeated ? 'an empty answer' : 'the same page again';
  const gap = onward.said
    ? `the service says that more follows, and gives ${instead} instead`
    : doubt && `the page is full, and ${failed(doubt)} when it was asked for more`;
  const end = lastPage(onward, gap, repeated?.page.raw);
  return { end: !onward.said && doubt instanceof ApiError ? { ...end, error: doubt } : end };
}

/** An empty last page that says how the list ended. */
function lastPage({ total }: PageCursor, gap: string | undefined, raw?: unknown): Page<JsonObject> {
  const counted = total === undefined ? {} : { total };
  return ended({ items: [], nextQuery: undefined, complete: true, ...counted, raw }, { gap });
}

function failed(error: Refusal): string {
  if (error instanceof ApiError) return `the service answered ${error.status}`;
  return error instanceof FailedPageError ? 'the service said that it failed' : 'the service gave no list';
}

/** Whether an empty answer leaves open what it was asked for: it neither leads on nor says that it is that place. */
function saysNothing({ page, count, paginationInfo }: ParsedPage, query: NextQuery): boolean {
  return count === 0 && !page.cursor && !standsAt(paginationInfo, query);
}

/** Whether what a service named as its next place can't be what it was asked as: a number of a page, or an offset. */
function isMisplaced(query: NextQuery, { by, read }: PageCursor): boolean {
  if (by !== 'cursor') return false;
  return Object.entries(query).some(([param, value]) => {
    const name = normalizeName(param);
    const number = numberOf(value);
    if (number === undefined) return PAGES.has(name) || OFFSETS.has(name);
    // Behind the first page stands the second, whatever its number is counted from.
    return PAGES.has(name) && number > 2 && read !== undefined;
  });
}

/** Whether a guess may have been a filter: it brings nothing and leads nowhere, where the service said that more follows. */
function isFilter(
  { page, paginationInfo }: ParsedPage,
  { onward, query }: { onward: PageCursor; query: NextQuery },
): boolean {
  const isNothing = page.items.length === 0 && !page.cursor && !standsAt(paginationInfo, query);
  // A cursor of which the service does not say what takes it may be asked for by the name of something else.
  const isNamed = onward.by === 'guess' || (onward.by === 'cursor' && onward.first !== undefined);
  return isNothing && onward.said && isNamed;
}

/**
 * Whether an empty page names the cursor again that it was asked for, where nothing has come yet. Behind entries some end so;
 * behind an empty first page it may be that one again, which does not know the parameter.
 */
function leadsBack({ page, count }: ParsedPage, { onward, query }: { onward: PageCursor; query: NextQuery }) {
  const isTrial = onward.by === 'cursor' && onward.first !== undefined && onward.read === 0;
  if (!isTrial || count > 0 || page.cursor?.by !== 'cursor') return false;
  return JSON.stringify(Object.values(page.cursor.queries[0] ?? {})) === JSON.stringify(Object.values(query));
}

/** Whether an answer says that it is the page, or begins with the entry, that was asked for: a row's number is no page's. */
function standsAt({ page, offset }: ParsedPage['paginationInfo'], query: NextQuery): boolean {
  const [[param, asked] = ['']] = Object.entries(query);
  const name = normalizeName(param);
  const places = PAGES.has(name) ? [page] : OFFSETS.has(name) ? [offset] : [page, offset];
  return places.some((place) => place !== undefined && `${place.at}` === asked);
}

/** Two pages of which all entries are others have not the same by chance. */
function areDistinct({ items }: ParsedPage['page']): boolean {
  return items.length > 1 && namesOf(items, undefined) !== undefined;
}

function isWithin(query: NextQuery, whole: NextQuery): boolean {
  return Object.entries(query).every(([name, value]) => whole[name] === value);
}

/** Whether the service gave a page again. Equal entries without ids may be other ones: then its own words decide. */
function isRepeat(
  read: ParsedPage,
  { onward, query, seen }: { onward: PageCursor; query: NextQuery; seen: Pick<Seen, 'prints'> },
): boolean {
  const { page, count, ids, fingerprint, paginationInfo } = read;
  if (count === 0) return false;
  if (read.known) return true;
  if (isShifted(read, { onward, query })) return true;
  // Ids are compared in any order.
  if (!onward.said && ids && (page.items.length === 0 || sharesMark(read, onward))) return true;
  if (!seen.prints.has(fingerprint)) return false;
  if (ids) return true;
  if (onward.by === 'guess' || onward.before?.includes(query)) return true;
  if (onward.by === 'cursor')
    return (
      paginationInfo.echo === 'repeated' || JSON.stringify(page.cursor?.queries[0]) === JSON.stringify(query)
    );
  // Behind a page that is shorter than pages are nothing follows, whatever number it gives itself.
  const isShort =
    paginationInfo.size !== undefined &&
    count < paginationInfo.size &&
    fingerprint === onward.print &&
    areDistinct(page);
  return isShort || !standsAt(paginationInfo, query);
}

/**
 * Whether it is the page before but for what came or went in between: most of its entries are known, or two of the first,
 * and it was asked for by a name that has led nowhere yet.
 */
function isShifted(
  { page, count, ids }: ParsedPage,
  { onward, query }: { onward: PageCursor; query: NextQuery },
) {
  const isTrial = onward.unproven === true || (onward.queries.length > 1 && query !== onward.queries.at(-1));
  if (!isTrial || !ids) return false;
  const again = onward.first?.filter((name) => ids.includes(name)) ?? [];
  return page.items.length * 2 < count || again.length > 1;
}

/**
 * Whether a page without ids may be the one before it but for fields that are others with each answer. A number of rows
 * that begins anew on each page looks the same: the service's word on where the page stands decides, or a steady answer.
 */
function isLike(read: ParsedPage, { onward, query }: { onward: PageCursor; query: NextQuery }): boolean {
  return (
    onward.unproven === true && !read.ids && !standsAt(read.paginationInfo, query) && sharesMark(read, onward)
  );
}

function sharesMark({ marks }: ParsedPage, { marks: before = [] }: PageCursor): boolean {
  return marks.some((mark) => before.includes(mark));
}
