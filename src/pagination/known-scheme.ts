import { EMPTY_CURSOR_VALUES, SIZE_FIELDS } from '../assumptions/index.ts';
import { getJsonType, getValueAt, resemblesSchema } from '../profile/check-schema.ts';
import { isObject, type JsonObject, normalizeName } from '../records/fields.ts';
import type { ActiveListProfile } from './active-list-profile.ts';
import { type FoundList, findItems, isLinkArray } from './find-items.ts';
import { mayBeFull } from './guess.ts';
import { type NextQuery, type PageRequest, parseNextUrl } from './next-url.ts';
import { countOf, numberOf, type PagingWords } from './parse.ts';

/**
 * The list in an answer, by what was learned of its place. Where the answer speaks against it, it is found as without:
 * a learned place wins over a usual one only by entries of the learned form.
 */
export function findLearnedList(
  raw: unknown,
  { resource, facts, isLater }: { resource: string; facts: ActiveListProfile | undefined; isLater: boolean },
) {
  const usual = findItems(raw, resource, isLater);
  if (!facts?.at || raw === undefined || raw === null) return usual;
  const there = getValueAt(raw, facts.at);
  if (!Array.isArray(there)) {
    if (usual && there !== null) facts.doubt('at', `no list there, but ${getJsonType(there ?? raw)}`);
    return usual;
  }
  if (usual?.list === there) return usual;
  const learned: FoundList = { list: there, around: around(raw, facts.at) };
  if (!usual || resemblesSchema(facts.entry, there[0])) return learned;
  if (there.length === 0 && usual.list.length === 0) return learned;
  facts.doubt('at', 'a list of other entries there');
  return usual;
}

function around(raw: unknown, path: readonly string[]): JsonObject[] {
  return path.map((_, index) => getValueAt(raw, path.slice(0, index))).filter(isObject);
}

interface Answered {
  readonly raw: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly asked: PageRequest;
  readonly count: number;
  /** Whether this is the first page of a call. */
  readonly isFirst: boolean;
  readonly facts: ActiveListProfile;
}

export interface LearnedWords extends PagingWords {
  /** The page is the last one, although it names a place behind it. */
  readonly isLast?: true;
  /** The place of the next page was read as it was learned. */
  readonly isPlaced?: true;
}

/** What an answer says about how its list goes on, read as was learned; undefined where nothing of that is known. */
export function readLearnedWords(words: PagingWords, answered: Answered): LearnedWords | undefined {
  const { facts } = answered;
  const told = withCounts(words, answered);
  if (!facts.next) return told === words ? undefined : told;
  switch (facts.next.by) {
    case 'none':
      return comesWhole(told, answered) ? { ...told, ended: true } : told;
    case 'cursor':
    case 'address':
      return withPlace(told, answered, facts.next);
    case 'after-id':
      return { ...told, after: facts.next.params, isPlaced: true };
    default:
      return withNumber(told, answered, facts.next);
  }
}

/** Whether more follows and how many there are, where it was learned that the answer says so. */
function withCounts(words: PagingWords, { raw, facts }: Answered): PagingWords {
  let told = words;
  if (facts.more && words.more === undefined) {
    const value = getValueAt(raw, facts.more.at);
    const { means } = facts.more;
    if (typeof value === typeof means)
      told = { ...told, more: value === means, moreField: facts.more.at.at(-1) };
    else if (value !== undefined && value !== null) facts.doubt('more', getJsonType(value));
  }
  if (facts.total && words.total === undefined) {
    const value = getValueAt(raw, facts.total);
    const total = countOf(value);
    if (total !== undefined) told = { ...told, total };
    else if (value !== undefined && value !== null) facts.doubt('total', getJsonType(value));
  }
  return told;
}

/**
 * Unless the answer counts pages or entries or names a larger total, or is longer than any that was seen and as long as pages usually are: then
 * only asking can tell.
 */
function comesWhole(words: PagingWords, { count, isFirst, facts }: Answered): boolean {
  if (!isFirst || words.page || words.offset || (words.total ?? 0) > count) return false;
  return count <= (facts.entry?.['x-seen'] ?? 0) || !mayBeFull(words, count);
}

type Next = NonNullable<ActiveListProfile['next']>;

/** A cursor or an address that stands where it was learned. */
function withPlace(words: PagingWords, answered: Answered, next: Next): LearnedWords {
  const { facts, asked } = answered;
  // Relations in a `Link` header are read by everybody alike.
  if (next.header === 'link') return { ...words, ended: words.ended || words.next.length === 0 };
  if ((!next.header && !next.at) || (next.by === 'cursor' && next.params.length === 0)) return words;
  const value = next.header
    ? answered.headers[next.header.toLowerCase()]
    : getValueAt(answered.raw, next.at ?? []);
  const text = placeText(value);
  if (text === undefined) {
    const elsewhere = !isLinkArray(value) && (words.next.length > 0 || words.more === true);
    if (elsewhere) facts.doubt('next', 'an answer that goes on without it');
    // A list of links is read by everybody alike.
    else if (isLinkArray(value)) return words;
    else if (typeof value === 'object' && value !== null) facts.doubt('next', getJsonType(value));
    // A field that was in every answer may have moved.
    else if (value !== undefined || facts.says === 'sometimes') return { ...words, ended: true };
    return words;
  }
  if (isLastByLength(words, answered)) return { ...words, next: [], ended: true, isLast: true };
  if (next.by === 'cursor')
    return {
      ...words,
      isPlaced: true,
      next: next.params.map((param) => ({ [param]: text })),
      refused: undefined,
      ended: false,
    };
  const query = parseNextUrl(text, asked);
  if (typeof query === 'string') return words;
  if (isHere(query, asked)) {
    facts.doubt('next', 'the address of the page itself');
    return words;
  }
  return { ...words, isPlaced: true, next: [query], refused: undefined, ended: false };
}

/** Whether a query leads to the page that it stands on. */
function isHere(query: NextQuery, { query: asked }: PageRequest): boolean {
  return Object.entries(query).every(([name, value]) => asked.get(name) === value);
}

/**
 * Where last pages name a place too: a first page that holds less than one that is known to work and was asked for. As
 * long as pages usually are, it may have been cut; and behind the first, pages may be short in the middle.
 */
function isLastByLength(words: PagingWords, { asked, count, isFirst, facts }: Answered): boolean {
  const size = isFirst ? sizeOf(asked) : undefined;
  return facts.says === 'filled' && size !== undefined && count < size && !mayBeFull(words, count);
}

/** The size that the client asked for. */
function sizeOf({ size = {} }: PageRequest): number | undefined {
  return numberOf(Object.values(size)[0]);
}

function placeText(given: unknown): string | undefined {
  // `search_after: ["…"]`, as it is asked for.
  const value = Array.isArray(given) && given.every(isText) ? given.join(',') : given;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  return text.trim() === '' || EMPTY_CURSOR_VALUES.includes(text.trim().toLowerCase()) ? undefined : text;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Pages or entries that the caller counts on. */
function withNumber(words: PagingWords, answered: Answered, next: Next): LearnedWords {
  const { asked, count, isFirst, facts } = answered;
  const [param] = next.params;
  if (param === undefined) return words;
  const kind = next.by === 'page' ? 'page' : 'offset';
  const said = words[kind];
  // Where nothing says whether pages count from 0 or 1, one could be left out.
  if (kind === 'page' && !said && next.first === undefined) return words;
  const base = next.first === 0 || next.first === 1 ? next.first : kind === 'page' ? 1 : 0;
  const at = said?.at ?? numberOf(asked.query.get(param)) ?? base;
  const position = { at, params: [...new Set([...next.params, ...(said?.params ?? [])])], base };
  const silent = words.more === undefined && (words.total ?? 0) < count && words.lastPage === undefined;
  // A page of a size that was asked for and is confirmed; where nothing is said, as without a profile.
  const short = said
    ? words.size !== undefined && words.size === sizeOf(asked) && count < words.size
    : !isFullHere(words, { asked, count, facts });
  return { ...words, isPlaced: true, [kind]: position, ended: words.ended || (isFirst && silent && short) };
}

/** As long as a page was asked to be, is here, or usually is anywhere. */
function isFullHere(
  words: PagingWords,
  { asked, count, facts }: Pick<Answered, 'asked' | 'count' | 'facts'>,
) {
  const { usual, param } = facts.size ?? {};
  const wanted = sizeParamsIn(asked.query, param).map((name) => numberOf(asked.query.get(name)));
  return wanted.includes(count) || count === usual || mayBeFull(words, count);
}

const SIZES = new Set(SIZE_FIELDS.map(normalizeName));

/** Parameters of a query that ask for a size of page. */
export function sizeParamsIn(query: URLSearchParams, learned: string | undefined): string[] {
  return [...query.keys()].filter((name) => name === learned || SIZES.has(normalizeName(name)));
}

/** Whether a parameter is one that asks for a size of page anywhere. */
export function isUsualSizeParam(name: string): boolean {
  return SIZES.has(normalizeName(name));
}
