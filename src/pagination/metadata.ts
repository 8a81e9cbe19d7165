/** The objects and headers of a response that may describe its pagination. */
import * as assumed from '../assumptions/index.ts';
import { parseJsonExact } from '../exact-json.ts';
import { createNameSet, isObject, type JsonObject, normalizeName, normalizeNames } from '../records/fields.ts';
import { mayBeUrl } from './values.ts';

export interface MetadataField {
  /** In the service's own spelling. */
  readonly name: string;
  readonly value: unknown;
}

/** The fields of one object, or of the headers, by their plain names. */
export type Metadata = ReadonlyMap<string, MetadataField>;

const CONTAINERS = normalizeNames([...assumed.PAGING_KEYS, ...assumed.ENVELOPE_KEYS]);
const PAGING_OBJECTS = createNameSet(assumed.PAGING_KEYS);
const OTHER_PAGING_OBJECTS = normalizeNames(assumed.PAGING_CONTAINERS);
/** Fields that hold a number if they are a position, and a text if they are a cursor. */
export const POSITION_FIELDS = createNameSet([...Object.keys(assumed.PAGE_NUMBER_FIELDS), ...assumed.OFFSET_FIELDS]);
const SIZES = normalizeNames(assumed.SIZE_FIELDS);
/** Fields about the next page, which tell an object about pagination from one that counts something else. */
const NEXT_FIELDS = createNameSet([
  ...Object.keys(assumed.CURSOR_FIELDS).filter((name) => /^next|cursor/.test(name)),
  ...assumed.NEXT_URL_FIELDS,
  ...assumed.HAS_MORE_FIELDS,
]);
const PAGING_FIELDS = new Set([
  ...POSITION_FIELDS,
  ...PAGING_OBJECTS,
  ...SIZES,
  ...normalizeNames([...assumed.TOTAL_FIELDS, ...assumed.COUNT_FIELDS, ...assumed.PAGE_COUNT_FIELDS]),
  ...normalizeNames([...assumed.IS_LAST_FIELDS, ...assumed.OTHER_PAGING_FIELDS]),
]);
const NEUTRAL_FIELDS = createNameSet(assumed.EMPTY_LIST_SIBLINGS);

const getFields = (object: JsonObject) =>
  Object.entries(object).map(([name, value]) => [normalizeName(name), value] as const);

/** Returns an object and the objects about pagination in it, outermost first. */
export function collectMetadata(object: JsonObject, depth: number): Metadata[] {
  const metadata = new Map<string, MetadataField>();
  for (const [name, value] of Object.entries(object)) {
    const plain = normalizeName(name);
    // If the list itself is called `links`, `_links` says how it continues.
    if (!metadata.has(plain) || name.startsWith('_')) metadata.set(plain, { name, value });
  }
  if (depth === 0) return [metadata];
  const others = OTHER_PAGING_OBJECTS.filter((name) => isAboutPaging(metadata.get(name)?.value));
  const nested = [...CONTAINERS, ...others].flatMap((name) => {
    const value = metadata.get(name)?.value;
    if (!isObject(value)) return [];
    const [own, ...inner] = collectMetadata(value, depth - 1);
    return own ? [name === 'page' ? withoutAmbiguousTotal(own) : own, ...inner] : inner;
  });
  return [metadata, ...nested];
}

/** `page: {total}` counts pages or entries: only a page size beside it tells. */
function withoutAmbiguousTotal(metadata: Metadata): Metadata {
  if (SIZES.some((size) => metadata.has(size))) return metadata;
  return new Map([...metadata].filter(([name]) => name !== 'total'));
}

/** Returns true if a value is an object that holds fields about pagination only, one of them about the next page. */
function isAboutPaging(value: unknown): boolean {
  if (!isObject(value)) return false;
  const fields = getFields(value);
  const isNext = ([name, one]: readonly [string, unknown]) =>
    (NEXT_FIELDS.has(name) && (name !== 'next' || typeof one !== 'string' || mayBeUrl(one))) ||
    (PAGING_OBJECTS.has(name) && isObject(one));
  return fields.some(isNext) && fields.every(([name]) => NEXT_FIELDS.has(name) || PAGING_FIELDS.has(name));
}

/**
 * Returns true if a response has only pagination fields, as `{"nextPageToken": "2"}`. Some services omit an empty list,
 * and return nothing at all on a page after the first (`isLater`).
 */
export function hasOnlyMetadata(object: JsonObject, isLater: boolean): boolean {
  const fields = getFields(object);
  const others = fields.filter(
    ([name, value]) =>
      !((NEXT_FIELDS.has(name) || POSITION_FIELDS.has(name)) && !isObject(value) && !Array.isArray(value)),
  );
  const isNeutral = others.every(([name, value]) =>
    PAGING_OBJECTS.has(name) && isObject(value)
      ? hasOnlyMetadata(value, true)
      : (NEUTRAL_FIELDS.has(name) || PAGING_FIELDS.has(name)) && typeof value !== 'object',
  );
  return isNeutral && (isLater || /list$/i.test(`${object['kind']}`) || others.length < fields.length);
}

/** Returns the headers about pagination, and the JSON in them. */
export function collectHeaderMetadata(headers: Readonly<Record<string, string>>): Metadata[] {
  const metadata = new Map<string, MetadataField>();
  const nested: Metadata[] = [];
  for (const [header, value] of Object.entries(headers)) {
    const name = header.replace(assumed.PAGING_HEADER_PATTERN, '').replaceAll('-', '_');
    // A single word without a prefix is trusted as a count only: `link`, `from` and `range` have other meanings.
    if (header.includes('-') || assumed.TOTAL_FIELDS.includes(name)) metadata.set(normalizeName(name), { name, value });
    if (assumed.PAGING_JSON_HEADERS.includes(header)) nested.push(...parseJsonHeader(value));
  }
  return [metadata, ...nested];
}

function parseJsonHeader(text: string): Metadata[] {
  try {
    const value = parseJsonExact(text);
    return isObject(value) ? collectMetadata(value, 1) : [];
  } catch {
    return [];
  }
}
