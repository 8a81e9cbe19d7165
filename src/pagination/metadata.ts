import {
  COUNT_FIELDS,
  CURSOR_FIELDS,
  EMPTY_LIST_SIBLINGS,
  ENVELOPE_KEYS,
  HAS_MORE_FIELDS,
  IS_LAST_FIELDS,
  NEXT_URL_FIELDS,
  OFFSET_FIELDS,
  OTHER_PAGING_FIELDS,
  PAGE_COUNT_FIELDS,
  PAGE_NUMBER_FIELDS,
  PAGING_CONTAINERS,
  PAGING_HEADER,
  PAGING_JSON_HEADERS,
  PAGING_KEYS,
  SIZE_FIELDS,
  TOTAL_FIELDS,
} from '../assumptions/index.ts';
import { parseJsonExact } from '../exact-json.ts';
import { isObject, type JsonObject, normalizeName } from '../records/fields.ts';

/** A field of an answer that may be about paging. */
export interface Field {
  /** As the service writes it. */
  readonly name: string;
  readonly value: unknown;
}
/** The fields of one object, or the headers, by their plain names. */
export type Holder = Map<string, Field>;

const HOLDERS = [...PAGING_KEYS, ...ENVELOPE_KEYS].map(normalizeName);
const PAGED = new Set(PAGING_KEYS.map(normalizeName));
const MAY_HOLD = PAGING_CONTAINERS.map(normalizeName);
const SIZES = SIZE_FIELDS.map(normalizeName);
/** Words on the next page, which tell an object about paging from one that counts something. */
const LEADS = new Set(
  [
    ...Object.keys(CURSOR_FIELDS).filter((name) => /^next|cursor/.test(name)),
    ...NEXT_URL_FIELDS,
    ...HAS_MORE_FIELDS,
  ].map(normalizeName),
);
const NUMBERED = [PAGE_NUMBER_FIELDS, OFFSET_FIELDS].flatMap((fields) => Object.keys(fields));
const NUMBERED_NAMES = new Set(NUMBERED.map(normalizeName));
const COUNTED = [PAGE_COUNT_FIELDS, IS_LAST_FIELDS, SIZE_FIELDS, TOTAL_FIELDS, COUNT_FIELDS];
const SILENT = new Set(EMPTY_LIST_SIBLINGS.map(normalizeName));
const BESIDE = new Set(
  [...NUMBERED, ...COUNTED.flat(), ...OTHER_PAGING_FIELDS, ...PAGING_KEYS].map(normalizeName),
);

/** An object and what it holds about paging, nearest first. */
export function holdersIn(object: JsonObject, depth: number): Holder[] {
  const holder: Holder = new Map();
  for (const [name, value] of Object.entries(object)) {
    const plain = normalizeName(name);
    // Beside a list of links, `_links` says how it goes on.
    if (!holder.has(plain) || name.startsWith('_')) holder.set(plain, { name, value });
  }
  if (depth === 0) return [holder];
  const nested = HOLDERS.flatMap((name) => {
    const value = holder.get(name)?.value;
    if (!isObject(value)) return [];
    const [own, ...inner] = holdersIn(value, depth - 1);
    // Of pages or of entries: without the size of a page nobody knows.
    if (name === 'page' && own && !SIZES.some((size) => own.has(size))) own.delete('total');
    return own ? [own, ...inner] : inner;
  });
  const more = MAY_HOLD.flatMap((name) => {
    const value = holder.get(name)?.value;
    return isObject(value) && isAboutPaging(value) ? holdersIn(value, depth - 1) : [];
  });
  return [holder, ...nested, ...more];
}

function isAboutPaging(object: JsonObject): boolean {
  const fields = Object.entries(object).map(([name, value]) => [normalizeName(name), value] as const);
  const leads = fields.some(
    ([name, value]) =>
      (LEADS.has(name) && (name !== 'next' || !isBareText(value))) || (PAGED.has(name) && isObject(value)),
  );
  return leads && fields.every(([name]) => LEADS.has(name) || BESIDE.has(name));
}

/**
 * Whether an answer says where it stands and holds nothing else: `{"nextPageToken": "2"}`. Some leave out a list that has no
 * entries (`{"kind": "contacts#list"}`), and on a page behind the first (`isLater`) then say nothing at all.
 */
export function saysPlaceOnly(object: JsonObject, isLater: boolean): boolean {
  const names = Object.entries(object).map(([name, value]) => [normalizeName(name), value] as const);
  const isPlace = ([name, value]: readonly [string, unknown]) =>
    (LEADS.has(name) || NUMBERED_NAMES.has(name)) && !isObject(value) && !Array.isArray(value);
  const rest = names.filter((field) => !isPlace(field));
  const isQuiet = rest.every(
    ([name, value]) =>
      (SILENT.has(name) && typeof value !== 'object') ||
      (BESIDE.has(name) && typeof value !== 'object') ||
      (PAGED.has(name) && isObject(value) && saysPlaceOnly(value, true)),
  );
  const isNamed = /list$/i.test(`${object['kind']}`);
  return isQuiet && (isLater || isNamed || rest.length < names.length);
}

/** A text that is no address: the next of something else, as of chapters. */
function isBareText(value: unknown): boolean {
  return typeof value === 'string' && !/^(?:https?:\/\/|\?|\/)/i.test(value);
}

/** What the headers say about paging, and the JSON in them. */
export function headerHolders(headers: Readonly<Record<string, string>>): Holder[] {
  const holder = new Map<string, Field>();
  const nested: Holder[] = [];
  for (const [header, value] of Object.entries(headers)) {
    const name = header.replace(PAGING_HEADER, '').replaceAll('-', '_');
    // A single word without a prefix is only believed as a count: `link`, `from` or `range` mean other things.
    if (header.includes('-') || TOTAL_FIELDS.includes(name)) holder.set(normalizeName(name), { name, value });
    if (PAGING_JSON_HEADERS.includes(header)) nested.push(...jsonHolders(value));
  }
  return holder.size > 0 ? [holder, ...nested] : nested;
}

function jsonHolders(text: string): Holder[] {
  try {
    const value = parseJsonExact(text);
    return isObject(value) ? holdersIn(value, 1) : [];
  } catch {
    return [];
  }
}
