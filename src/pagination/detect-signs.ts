/** Reads the pagination fields and headers of one response, in any style. */
import * as assumed from '../assumptions/index.ts';
import { isObject, type JsonObject, normalizeName, normalizeNames } from '../records/fields.ts';
import { parseLinkHeader } from './link-header.ts';
import { collectHeaderMetadata, collectMetadata, type Metadata } from './metadata.ts';
import { findNamedSteps } from './named-steps.ts';
import type { ListRequest } from './next-url.ts';
import type { Position, Signs } from './signs.ts';
import { createParamTable, getParamSpellings, type ParamTable, parseCount, parseWholeNumber } from './values.ts';

const PAGE_NUMBERS = createParamTable(assumed.PAGE_NUMBER_FIELDS);
const OFFSETS: ParamTable = assumed.OFFSET_FIELDS.map((field) => [normalizeName(field), [field]]);
const FROM_ONE = normalizeNames(assumed.ONE_BASED_OFFSET_FIELDS);
const SIZES = normalizeNames(assumed.SIZE_FIELDS);
const TOTALS = normalizeNames(assumed.TOTAL_FIELDS);
const COUNTS = normalizeNames(assumed.COUNT_FIELDS);
const PAGE_COUNTS = normalizeNames(assumed.PAGE_COUNT_FIELDS);
const REMAINING_ENTRIES = normalizeNames(assumed.REMAINING_ITEM_FIELDS);
const REMAINING = [...normalizeNames(assumed.REMAINING_FIELDS), ...REMAINING_ENTRIES];
const OTHER_REMAINDERS = normalizeNames(assumed.QUOTA_FIELDS);
const BESIDE_REMAINING = [...COUNTS, ...TOTALS, ...[...PAGE_NUMBERS, ...OFFSETS].map(([name]) => name), 'cursor'];
const RELATION = normalizeName(assumed.TOTAL_RELATION_FIELD);

/** A response and its request. */
export interface PagedResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: ListRequest;
  /** The last word of the route, which names the listed resource. */
  readonly resource: string;
  readonly status?: number | undefined;
}

/** Returns the signs of a response, from its headers and the objects `around` its list. */
export function detectSigns(
  around: readonly JsonObject[],
  { headers, request, resource, status }: PagedResponse,
): Signs {
  const metadata = [...around.flatMap((one) => collectMetadata(one, 3)), ...collectHeaderMetadata(headers)];
  const links = parseLinkHeader(headers['link'] ?? '');
  const named = findNamedSteps(metadata, { linkHeader: links.get('next'), request });
  const isLastLink = !links.has('next') && assumed.LINK_RELATIONS.some((relation) => links.has(relation));
  const more = findMore(metadata);
  const page = findPosition(metadata, PAGE_NUMBERS);
  const range = getEntryRange(headers);
  const counted = findCountedCursor(metadata);
  const offset = findPosition(metadata, OFFSETS) ?? getRangeStart(range) ?? counted?.position;
  const listed = normalizeName(resource);
  const singular = listed.replace(/s$/, '');
  const totals = [...TOTALS, `total${listed}`, `${listed}count`, `${singular}count`, `${listed}total`];
  return {
    next: named.steps,
    unusable: named.unusable,
    // A service that numbers its pages may repeat the whole request, and so a cursor that the client did not send.
    ended: named.ended || isLastLink || (named.emptyEcho && !page && !offset),
    more: more?.follows,
    moreField: more?.field,
    page,
    offset,
    // A field named after the listed resource counts that: the `page_count` of a document's pages.
    pages: findNumber(metadata, page ? PAGE_COUNTS : PAGE_COUNTS.filter((name) => !name.includes(singular))),
    size: findNumber(metadata, SIZES),
    total: findNumber(metadata, totals) ?? getRangeTotal(range) ?? counted?.total,
    count: findNumber(metadata, COUNTS),
    partial: status === 206,
  };
}

/** `content-range: items 0-19/57`; a range of bytes is about the text of the response. */
function getEntryRange({ 'content-range': range = '' }: Readonly<Record<string, string>>): string {
  return /^\s*bytes\b/i.test(range) ? '' : range;
}

function getRangeTotal(range: string): number | undefined {
  return parseWholeNumber(range.slice(range.lastIndexOf('/') + 1));
}

/** Only a range from 0 is a position: another one may count from 1. */
function getRangeStart(range: string): Position | undefined {
  return /(?:^|\s)0-\d+\//.test(range) ? { at: 0, params: assumed.GUESSED_OFFSET_PARAMS } : undefined;
}

function findPosition(metadata: readonly Metadata[], table: ParamTable): Position | undefined {
  for (const [name, params] of table) {
    for (const fields of metadata) {
      const field = fields.get(name);
      const at = parseWholeNumber(field?.value);
      if (!field || at === undefined) continue;
      const first = FROM_ONE.includes(name) ? { first: Math.min(1, at) } : {};
      return { at, params: getParamSpellings(field.name, params), ...first };
    }
  }
  return undefined;
}

/** `{cursor: 20, count: 20, remaining: 17}`: the cursor is the number of entries before the page. */
function findCountedCursor(
  metadata: readonly Metadata[],
): { position: Position; total: number | undefined } | undefined {
  for (const fields of metadata) {
    const cursor = fields.get('cursor');
    const at = typeof cursor?.value === 'number' ? parseWholeNumber(cursor.value) : undefined;
    const left = findNumber([fields], REMAINING);
    if (!cursor || at === undefined || left === undefined) continue;
    const count = findNumber([fields], COUNTS);
    return {
      position: { at, params: [cursor.name], first: 0 },
      total: count === undefined ? undefined : at + count + left,
    };
  }
  return undefined;
}

interface MoreSign {
  readonly follows: boolean;
  readonly field: string;
}

interface FlagField {
  readonly plain: string;
  /** True if the field may also hold a cursor; then only an explicit yes counts. */
  readonly isCursor: boolean;
  /** True if the field may also hold a number: `last_page` that of the last page, `done` that of finished items. */
  readonly isNumber: boolean;
}

const flagField = (name: string): FlagField => ({
  plain: normalizeName(name),
  isCursor: Object.hasOwn(assumed.CURSOR_FIELDS, name),
  isNumber: assumed.PAGE_COUNT_FIELDS.includes(name) || (assumed.IS_LAST_FIELDS.includes(name) && !/^is_/.test(name)),
});
const MORE_FLAGS = assumed.HAS_MORE_FIELDS.map(flagField);
const LAST_FLAGS = assumed.IS_LAST_FIELDS.map(flagField);

function findMore(metadata: readonly Metadata[]): MoreSign | undefined {
  const more = findFlag(metadata, MORE_FLAGS);
  if (more) return { follows: more.isYes, field: more.name };
  const last = findFlag(metadata, LAST_FLAGS);
  if (last) return { follows: !last.isYes, field: last.name };
  return findRemaining(metadata);
}

function findFlag(metadata: readonly Metadata[], flags: readonly FlagField[]) {
  for (const fields of metadata) {
    for (const flag of flags) {
      const field = fields.get(flag.plain);
      const isYes = field && parseFlag(field.value, flag);
      if (field && isYes !== undefined) return { isYes, name: field.name };
    }
  }
  return undefined;
}

function parseFlag(value: unknown, { isCursor, isNumber }: FlagField): boolean | undefined {
  const word = String(value).trim().toLowerCase();
  if (typeof value === 'boolean' || typeof value === 'string') {
    if (assumed.TRUE_VALUES.includes(word)) return true;
    if (assumed.FALSE_VALUES.includes(word)) return isCursor ? undefined : false;
  }
  if (isCursor || isNumber) return undefined;
  const number = typeof value === 'number' ? value : parseWholeNumber(value);
  return number === undefined ? undefined : number > 0;
}

/** `remaining_items: 37`, or `remaining: 37` beside a position or a number of entries. */
function findRemaining(metadata: readonly Metadata[]): MoreSign | undefined {
  for (const fields of metadata) {
    const has = (names: readonly string[]) => names.some((name) => fields.has(name));
    if (has(OTHER_REMAINDERS)) continue;
    const names = has(BESIDE_REMAINING) ? REMAINING : REMAINING_ENTRIES;
    const left = names.map((name) => fields.get(name)).find((field) => field !== undefined);
    if (left && (parseWholeNumber(left.value) ?? 0) > 0) return { follows: true, field: left.name };
  }
  return undefined;
}

function findNumber(metadata: readonly Metadata[], names: readonly string[]): number | undefined {
  for (const name of names) {
    for (const fields of metadata) {
      const value = fields.get(name)?.value;
      if (value === undefined || isLowerBound(fields, name)) continue;
      const number = parseCount(isObject(value) ? value['value'] : value);
      if (number !== undefined) return number;
    }
  }
  return undefined;
}

/** `{value: 10000, relation: "gte"}`: more than this number may exist. */
function isLowerBound(fields: Metadata, name: string): boolean {
  const value = fields.get(name)?.value;
  const relation = isObject(value) ? value[assumed.TOTAL_RELATION_FIELD] : fields.get(`${name}${RELATION}`)?.value;
  return assumed.LOWER_BOUND_RELATIONS.includes(`${relation}`);
}
