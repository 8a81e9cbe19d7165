import {
  COUNT_FIELDS,
  CURSOR_FIELDS,
  ECHOED_CURSOR_FIELDS,
  EMPTY_CURSOR_VALUES,
  FALSE_VALUES,
  GUESSED_OFFSET_PARAMS,
  HAS_MORE_FIELDS,
  IS_LAST_FIELDS,
  LINK_FIELDS,
  LINK_RELATIONS,
  LOWER_BOUND_RELATIONS,
  NEXT_URL_FIELDS,
  OFFSET_FIELDS,
  ONE_BASED_OFFSET_FIELDS,
  PAGE_COUNT_FIELDS,
  PAGE_NUMBER_FIELDS,
  PAGING_KEYS,
  QUOTA_FIELDS,
  REMAINING_FIELDS,
  REMAINING_ITEM_FIELDS,
  SIZE_FIELDS,
  TIME_ZONE_OFFSET,
  TOTAL_FIELDS,
  TOTAL_RELATION,
  TRUE_VALUES,
} from '../assumptions/index.ts';
import { getTextField, isObject, type JsonObject, normalizeName } from '../records/fields.ts';
import { isLinkArray, relationsOf } from './find-items.ts';
import { type Field, type Holder, headerHolders, holdersIn } from './metadata.ts';
import { type NextQuery, type PageRequest, parseNextUrl, readLinkHeader } from './next-url.ts';

/** Where an answer says it stands: a number, and the parameters that may ask for another, likeliest first. */
export interface Position {
  readonly at: number;
  readonly params: readonly string[];
  /** The number of the first one, where its name says it or it was learned. */
  readonly base?: number;
}

/** All that an answer says about how its list goes on, whatever the style. */
export interface PagingWords {
  readonly more: boolean | undefined;
  /** The name of the field that says so, as the service writes it. */
  readonly moreField: string | undefined;
  /** Queries for the place that the answer names, likeliest first. */
  readonly next: readonly NextQuery[];
  /** In words, why a named place is not followed. */
  readonly refused: string | undefined;
  /** A field for the next place is there, and empty. */
  readonly ended: boolean;
  readonly page: Position | undefined;
  readonly lastPage: number | undefined;
  readonly offset: Position | undefined;
  readonly size: number | undefined;
  readonly total: number | undefined;
  /** May count all entries or those of the page. */
  readonly count: number | undefined;
  /** Parameters that take the id of the last entry, where that was learned. */
  readonly after?: readonly string[];
  /** Whether it repeats the cursor that it was asked with, or the empty one that it was not. */
  readonly echo?: 'repeated' | 'empty';
  /** The answer calls itself a part of the list. */
  readonly partial?: true;
}

const plainKeys = <Value>(table: Readonly<Record<string, Value>>) =>
  Object.entries(table).map(([name, value]) => [normalizeName(name), value] as const);
const CURSORS = plainKeys(CURSOR_FIELDS).map(([name, params]) => [name, params.split(' ')] as const);
const PAGES = plainKeys(PAGE_NUMBER_FIELDS);
const OFFSETS = plainKeys(OFFSET_FIELDS);
const FROM_ONE = ONE_BASED_OFFSET_FIELDS.map(normalizeName);
const ECHOES = ECHOED_CURSOR_FIELDS.map(normalizeName);
const ADDRESSES = NEXT_URL_FIELDS.map(normalizeName);
const LINKED = [...ADDRESSES, 'next'];
const LAST_PAGES = PAGE_COUNT_FIELDS.map(normalizeName);
const SIZES = SIZE_FIELDS.map(normalizeName);
const COUNTS = COUNT_FIELDS.map(normalizeName);
const TOTALS = TOTAL_FIELDS.map(normalizeName);
const RELATION = normalizeName(TOTAL_RELATION);
/** Objects under the name of a cursor that say how the list goes on. */
const HOLDING = PAGING_KEYS.filter((name) => name !== 'next').map(normalizeName);
const NEXT_PLACES = Object.keys(CURSOR_FIELDS);
/** Fields that hold a number where they say a place, and a text where it is the next one. */
const NUMBERED = [...PAGES, ...OFFSETS].map(([name]) => name);
const OTHER_REMAINDERS = QUOTA_FIELDS.map(normalizeName);
const COUNTED = [...COUNTS, ...TOTALS, 'cursor', ...NUMBERED];
const REMAINING_ITEMS = REMAINING_ITEM_FIELDS.map(normalizeName);
const REMAINING = [...REMAINING_FIELDS.map(normalizeName), ...REMAINING_ITEMS];
const MORE = HAS_MORE_FIELDS.map(flagField);
const LAST = IS_LAST_FIELDS.map(flagField);

export function readPagingWords(
  around: readonly JsonObject[],
  params: {
    headers: Readonly<Record<string, string>>;
    asked: PageRequest;
    resource: string;
    status?: number | undefined;
  },
): PagingWords {
  const { headers, asked } = params;
  const links = readLinkHeader(headers['link'] ?? '');
  const range = rangeOf(headers);
  const holders = [...around.flatMap((holder) => holdersIn(holder, 3)), ...headerHolders(headers)];
  const linked = links.get('next') ?? holders.map(relationNext).find((address) => address !== undefined);
  const named = linked === undefined ? nextOf(holders, asked) : readPlaces(linked, asked);
  const listed = normalizeName(params.resource);
  const one = listed.replace(/s$/, '');
  // A field named after what is listed counts it: the `total_pages` of a document's pages.
  const totals = [...TOTALS, `total${listed}`, `${listed}count`, `${one}count`, `${listed}total`];
  const page = positionOf(holders, PAGES);
  const lastPages = page ? LAST_PAGES : LAST_PAGES.filter((name) => !name.includes(one));
  const more = moreOf(holders);
  const offset = positionOf(holders, OFFSETS) ?? rangeStart(range);
  // A service that numbers its places may repeat all that it was asked, the cursor that nobody gave among it.
  const isEnd = named.echo === 'empty' && page === undefined && offset === undefined;
  return {
    more: more?.is,
    moreField: more?.name,
    ...named,
    ended: named.ended || isEnd || (!links.has('next') && LINK_RELATIONS.some((rel) => links.has(rel))),
    page,
    lastPage: firstNumber(holders, lastPages),
    offset,
    size: firstNumber(holders, SIZES),
    total: firstNumber(holders, totals) ?? rangeTotal(range),
    count: firstNumber(holders, COUNTS),
    ...(params.status === 206 ? { partial: true } : {}),
  };
}

/** A range of entries: one of bytes is about the answer's text. */
function rangeOf({ 'content-range': range }: Readonly<Record<string, string>>): string | undefined {
  return /^\s*bytes\b/i.test(range ?? '') ? undefined : range;
}

/** `content-range: items 0-19/57` */
function rangeTotal(range: string | undefined): number | undefined {
  return range === undefined ? undefined : numberOf(range.slice(range.lastIndexOf('/') + 1));
}

/** Only a first range is a place: another may count from 1. */
function rangeStart(range = ''): Position | undefined {
  return /(?:^|\s)0-\d+\//.test(range) ? { at: 0, params: GUESSED_OFFSET_PARAMS } : undefined;
}

/** `links: [{rel: "next", href: …}]`, or `documents_links`. */
function relationNext(holder: Holder): string | undefined {
  for (const [name, { value }] of holder) {
    if (!name.endsWith('links') || !isLinkArray(value)) continue;
    const link = value.find((entry) => relationsOf(entry).includes('next'));
    if (link) return getTextField(link, LINK_FIELDS);
  }
  return undefined;
}

interface Named {
  readonly next: readonly NextQuery[];
  readonly refused: string | undefined;
  readonly ended: boolean;
  /** A field that may repeat what was asked for does so, or is empty where nothing was asked for by it. */
  readonly echo?: 'repeated' | 'empty';
}

function readPlaces(address: string, asked: PageRequest): Named {
  const query = parseNextUrl(address, asked);
  if (typeof query === 'string') return { next: [], refused: query, ended: false };
  return { next: [query], refused: undefined, ended: false };
}

/** The place that a field names: addresses first, since they say all that is to be asked. */
function nextOf(holders: readonly Holder[], asked: PageRequest): Named {
  let ended = false;
  let echo: Named['echo'];
  let refused: string | undefined;
  for (const name of LINKED) {
    for (const holder of holders) {
      const address = addressIn(holder.get(name)?.value, name !== 'next');
      // `?page=` beside `next: null`: the pattern of an address, which leads nowhere.
      const isPattern = /=\s*$/.test(address ?? '') && isNothing(holder.get('next')?.value);
      if (address !== undefined && !isPattern) return readPlaces(address, asked);
    }
  }
  for (const [name, params] of CURSORS) {
    for (const holder of holders) {
      const field = holder.get(name);
      if (!field || (NUMBERED.includes(name) && !isTextPlace(field.value))) continue;
      // A whole address may also stand where others give a cursor.
      const link = linkIn(field.value);
      if (link !== undefined) return readPlaces(link, asked);
      const next = readCursor(field, params);
      if (next.length === 0) {
        if (isKey(field.value, name))
          refused = `the service names the next page by an object, "${field.name}", which no parameter takes`;
        const isEcho = ECHOES.includes(name) && !params.some((param) => asked.query.has(param));
        if (isNothing(field.value) && isEcho) echo ??= 'empty';
        else ended ||= isNothing(field.value);
        continue;
      }
      const isEcho = next.some((query) =>
        Object.entries(query).every(([param, value]) => asked.query.get(param) === value),
      );
      if (!(isEcho && ECHOES.includes(name))) return { next, refused: undefined, ended: false };
      echo = 'repeated';
    }
  }
  ended ||= holders.some((holder) => ADDRESSES.some((name) => isNothing(holder.get(name)?.value)));
  return { next: [], refused, ended, ...(echo ? { echo } : {}) };
}

/** The key of an entry in place of a text: `{"LastEvaluatedKey": {"id": {"S": "d57"}}}`. */
function isKey(value: unknown, name: string): boolean {
  return /(?:key|token|cursor)$/.test(name) && isObject(value) && Object.values(value).some(isObject);
}

function addressIn(value: unknown, surely: boolean): string | undefined {
  // HAL allows several; the first leads on as well as any.
  if (Array.isArray(value)) return isObject(value[0]) ? addressIn(value[0], surely) : undefined;
  if (typeof value === 'string')
    return value !== '' && (surely || /^(?:https?:\/\/|\/|\?|\.\.?\/|[\w/-]*\?\w+=)/i.test(value))
      ? value
      : undefined;
  if (!isObject(value)) return undefined;
  return getTextField(value, LINK_FIELDS);
}

function linkIn(value: unknown): string | undefined {
  if (isObject(value)) return getTextField(value, LINK_FIELDS);
  return typeof value === 'string' && /^\s*(?:https?:\/\/|\?[\w.[\]-]+=)/i.test(value) ? value : undefined;
}

function readCursor({ name, value }: Field, params: readonly string[]): NextQuery[] {
  // `next: {page: 2}` and `next: {after: "x"}` name their own parameters; `cursor: {current, next}` holds words of its own.
  if (isObject(value)) {
    if (HOLDING.includes(normalizeName(name))) return [];
    const own = Object.entries(value).flatMap(([key, one]) => {
      const text = cursorText(one);
      return text === undefined ? [] : [[key, text]];
    });
    return own.length > 0 ? [Object.fromEntries(own) as NextQuery] : [];
  }
  const isPlain = Array.isArray(value) && !value.some((one) => typeof one === 'object' && one !== null);
  const text = isPlain ? value.map(String).join(',') : cursorText(value);
  if (text === undefined || text === '') return [];
  const isNumber = typeof value === 'number';
  const ordered = isNumber && params.includes('page') ? ['page', ...params] : params;
  return spellings(ordered, name).map((param) => ({ [param]: text }));
}

/** Some services mean "no more" by 0, by a negative number or by a word. */
function cursorText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (text === '' || EMPTY_CURSOR_VALUES.includes(text.toLowerCase()) || Number(text) < 0) return undefined;
  return String(value);
}

function isTextPlace(value: unknown): boolean {
  if (typeof value !== 'string' || TIME_ZONE_OFFSET.test(value)) return false;
  return numberOf(value) === undefined && cursorText(value) !== undefined;
}

function isNothing(value: unknown): boolean {
  if (value === null || value === false) return true;
  return (typeof value === 'string' || typeof value === 'number') && cursorText(value) === undefined;
}

/** Parameters in the case of the field that led to them, then in another: `nextPageToken` asks for `pageToken`. */
export function spellings(params: readonly string[], like: string): string[] {
  const camel = params.map((param) =>
    param.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  const isCamel = !like.includes('_') && /[a-z][A-Z]|^[A-Z]/.test(like);
  const pascal = /^[A-Z]/.test(like)
    ? camel.map((param) => param.charAt(0).toUpperCase() + param.slice(1))
    : [];
  if (like.includes('-')) return params.flatMap((param) => [param.replaceAll('_', '-'), param]).slice(0, 6);
  const all = isCamel ? [...camel, ...pascal, ...params] : [...params, ...camel];
  return [...new Set(all)].slice(0, Math.max(6, params.length));
}

interface Flag {
  readonly is: boolean;
  readonly name: string;
}

function moreOf(holders: readonly Holder[]): Flag | undefined {
  const more = flagOf(holders, MORE);
  const last = more ? undefined : flagOf(holders, LAST);
  return more ?? (last && { ...last, is: !last.is }) ?? remainderOf(holders);
}

/** `remaining_items: 37`, or `remaining: 37` where the place or the number of entries that came stands beside it. */
function remainderOf(holders: readonly Holder[]): Flag | undefined {
  for (const holder of holders) {
    const has = (names: readonly string[]) => names.some((name) => holder.has(name));
    if (has(OTHER_REMAINDERS)) continue;
    const names = has(COUNTED) ? REMAINING : REMAINING_ITEMS;
    const left = names.map((name) => holder.get(name)).find((field) => field !== undefined);
    if (left && (numberOf(left.value) ?? 0) > 0) return { is: true, name: left.name };
  }
  return undefined;
}

interface FlagField {
  readonly plain: string;
  /** Where the next place may stand, only a yes is a word on whether there is one. */
  readonly isPlace: boolean;
  /** `last` and `last_page` are also the number of the last page, and `done` that of what is done. */
  readonly isCount: boolean;
}

function flagField(name: string): FlagField {
  return {
    plain: normalizeName(name),
    isPlace: NEXT_PLACES.includes(name),
    isCount: PAGE_COUNT_FIELDS.includes(name) || (IS_LAST_FIELDS.includes(name) && !/^is_/.test(name)),
  };
}

function flagOf(holders: readonly Holder[], fields: readonly FlagField[]): Flag | undefined {
  for (const holder of holders) {
    for (const { plain, isPlace, isCount } of fields) {
      const field = holder.get(plain);
      if (!field) continue;
      const { name, value } = field;
      const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
      if (word === true || TRUE_VALUES.includes(`${word}`)) return { is: true, name };
      if (isPlace) continue;
      if (word === false || FALSE_VALUES.includes(`${word}`)) return { is: false, name };
      const number = isCount ? undefined : typeof word === 'number' ? word : numberOf(word);
      if (number !== undefined) return { is: number > 0, name };
    }
  }
  return undefined;
}

function firstNumber(holders: readonly Holder[], names: readonly string[]): number | undefined {
  for (const name of names) {
    for (const holder of holders) {
      const value = holder.get(name)?.value;
      if (value === undefined || isLeast(holder, name)) continue;
      const number = countOf(isObject(value) ? value['value'] : value);
      if (number !== undefined) return number;
    }
  }
  return undefined;
}

/** Whether more than this number may exist. */
function isLeast(holder: Holder, name: string): boolean {
  const value = holder.get(name)?.value;
  const beside = holder.get(`${name}${RELATION}`)?.value;
  return LOWER_BOUND_RELATIONS.includes(`${isObject(value) ? value[TOTAL_RELATION] : beside}`);
}

/** A count; `"1,057"` is one for people. */
export function countOf(value: unknown): number | undefined {
  const isGrouped = typeof value === 'string' && /^\s*\d{1,3}(?:,\d{3})+\s*$/.test(value);
  return numberOf(isGrouped ? value.replaceAll(',', '') : value);
}

/** A whole number from 0, also as a text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d{1,15}$/.test(value.trim())) return undefined;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function positionOf(
  holders: readonly Holder[],
  names: readonly (readonly [string, string])[],
): Position | undefined {
  for (const [name, params] of names) {
    for (const holder of holders) {
      const field = holder.get(name);
      const at = numberOf(field?.value);
      if (!field || at === undefined) continue;
      const base = FROM_ONE.includes(name) ? { base: 1 } : {};
      return { at, params: spellings(params.split(' '), field.name), ...base };
    }
  }
  return undefined;
}
