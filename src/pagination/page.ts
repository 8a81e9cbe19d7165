import { KIND_FIELDS } from '../assumptions/index.ts';
import type { ApiError } from '../errors.ts';
import { idOf, isObject, type JsonObject } from '../records/fields.ts';
import type { ActiveListProfile } from './active-list-profile.ts';
import { distinct, isInTail, marksOf, namesOf, printOf, tailOf } from './fingerprint.ts';
import { findLearnedList, readLearnedWords } from './known-scheme.ts';
import { findWay, type PageCursor } from './next-page.ts';
import type { NextQuery, PageRequest } from './next-url.ts';
import { type PagingWords, readPagingWords } from './parse.ts';
import { chooseWay } from './reconcile.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** What to add to the query for the next page; undefined where the service names none: `onward` may lead on all the same. */
  readonly nextQuery: NextQuery | undefined;
  /**
   * False where the service says that more exists than can be reached from here; `gap` then says why. A page that has
   * a next one is complete: what it lacks can be asked for.
   */
  readonly complete: boolean;
  readonly incompleteReason?: string;
  /** The service's answer in place of a page that it had announced, where that is why the list ends here. */
  readonly error?: ApiError;
  /** How many entries the service counts in the whole list, where it says so. */
  readonly total?: number;
  /** Where the list goes on, for the option `from`; also where only asking can tell whether it does. */
  readonly cursor?: PageCursor;
  /** The answer as the service gave it. */
  readonly raw: unknown;
}

/** A page, and what the walk through its list has to know of it. */
export interface ParsedPage {
  readonly page: Page<JsonObject>;
  readonly paginationInfo: PagingWords;
  /** Whether the service says that more follows. */
  readonly more: boolean | undefined;
  /** Entries in the answer, those included that an earlier page had. */
  readonly count: number;
  readonly ids: readonly string[] | undefined;
  readonly fingerprint: string;
  /** Prints that the page shares with another answer of it, whatever its order; where a first guess leads to it or on. */
  readonly marks: readonly string[];
  /** All of it had come, with ids or without, where it was asked for by the first guess of a walk. */
  readonly known?: true;
  /** What stands for the ids of entries that have none and all differ, where a first guess leads on. */
  readonly values?: readonly string[];
  /** An empty page that was asked for by what was learned and has led nowhere yet: another way may have entries. */
  readonly doubtful?: true;
}

/** What is known before a page is read. */
export interface ListParseContext {
  /** The last word of the route: what is listed. */
  readonly resource: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly asked: PageRequest;
  /** Of the answer. */
  readonly status?: number;
  /** What led here; undefined for the first page of a call. */
  readonly from?: PageCursor | undefined;
  /** Ids that earlier pages had, and what stood for them. */
  readonly known?: ReadonlySet<string> | undefined;
  /** What was learned of this list. */
  readonly facts?: ActiveListProfile | undefined;
}

/** Reads a list answer in any of the usual envelopes (§4 shows none); undefined where it holds no list. */
export function parsePage(raw: unknown, context: ListParseContext): ParsedPage | undefined {
  const { facts } = context;
  const isLater = context.from !== undefined;
  const found = findLearnedList(raw, { resource: context.resource, facts, isLater });
  if (!found) return undefined;
  const all = isLater && found.list.every(isHollow) ? [] : found.list.map(itemOf);
  const ids = identityOf(all);
  const { asked, from } = context;
  const { known } = context;
  const isKnown = (name: string) => known !== undefined && (known.has(name) || isInTail(name, known));
  const items = ids ? all.filter((_, index) => !isKnown(ids[index] ?? '')) : all;
  const print = printOf(all, ids);
  const words = readPagingWords(found.around, context);
  const counts = { count: all.length, fresh: items.length, lastId: idOf(all.at(-1)) };
  const usual = findWay({ words, asked, from, ...counts });
  const learned =
    facts &&
    readLearnedWords(words, {
      raw,
      headers: context.headers,
      asked,
      count: all.length,
      isFirst: from === undefined,
      facts,
    });
  const { way, read, total, gap } =
    facts && learned
      ? chooseWay(
          usual,
          { verdict: findWay({ words: learned, asked, from, ...counts }), words: learned },
          facts,
        )
      : usual;
  const guessesOn = way?.said === false;
  const isFirstGuess = guessesOn && !from;
  const isFirstTrial = !from && way !== undefined && (guessesOn || way.queries.length > 1);
  const names = from?.unproven || isFirstGuess ? namesOf(all, ids) : undefined;
  const marks = from?.unproven || isFirstGuess ? marksOf(all, ids) : [];
  const onward: PageCursor | undefined = way && {
    ...way,
    queries: sized(way.queries, asked),
    ...(way.before ? { before: sized(way.before, asked) } : {}),
    print,
    // A filter by the number 1 or 2 mostly gives one of the first.
    ...(isFirstGuess ? { unproven: true, marks } : {}),
    ...(isFirstTrial ? { first: ((isFirstGuess ? names : ids) ?? []).slice(0, 3) } : {}),
    ...(ids && ids.length > 0 ? { tail: tailOf(ids) } : {}),
    ...(read === undefined ? {} : { read }),
    ...(total === undefined ? {} : { total }),
  };
  // Of guesses the first may give the same page again: who follows it alone would go in a circle.
  const isNamed = way !== undefined && way.by !== 'guess';
  return {
    page: {
      items,
      nextQuery: isNamed ? onward?.queries[0] : undefined,
      complete: gap === undefined,
      ...(gap === undefined ? {} : { incompleteReason: gap }),
      ...(total === undefined ? {} : { total }),
      ...(onward ? { cursor: onward } : {}),
      raw,
    },
    paginationInfo: words,
    more: (learned ?? words).more,
    count: all.length,
    ids,
    fingerprint: print,
    marks,
    ...(from?.unproven && names?.every(isKnown) ? { known: true } : {}),
    ...(isFirstGuess && !ids && names ? { values: names } : {}),
  };
}

/** What asks for the size of the pages goes along, so that all of them are cut alike. */
function sized(queries: readonly NextQuery[], { size = {} }: PageRequest): NextQuery[] {
  const lacking = (query: NextQuery) => Object.entries(size).filter(([name]) => !Object.hasOwn(query, name));
  return queries.map((query) => ({ ...query, ...Object.fromEntries(lacking(query)) }));
}

/** What some give in place of entries behind the last page: `[null]`, `[{}]`. */
function isHollow(item: unknown): boolean {
  return item === null || (isObject(item) && Object.keys(item).length === 0);
}

/** A list of bare texts or numbers still gives objects, so that every reader of items stays simple. */
function itemOf(item: unknown): JsonObject {
  if (!isObject(item)) return { value: item };
  const { node } = item;
  const isEdge = isObject(node) && Object.keys(item).every((key) => key === 'node' || key === 'cursor');
  return isEdge ? node : item;
}

/** Things of two kinds in one list may have the same ids. */
function kindOf(item: JsonObject = {}): string {
  const kind = KIND_FIELDS.map((name) => item[name]).find((value) => typeof value === 'string');
  return kind === undefined ? '' : `${String(kind)}\n`;
}

/** The ids of all items where each has one of its own; else an id does not say which item it is. */
function identityOf(items: readonly JsonObject[]): readonly string[] | undefined {
  const ids = items.map((item) => idOf(item));
  const known = ids.flatMap((id, at) => (id === undefined ? [] : `${kindOf(items[at])}${id}`));
  return known.length === items.length ? distinct(known) : undefined;
}
