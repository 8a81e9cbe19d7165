import {
  COUNT_FIELDS,
  ENVELOPE_KEYS,
  ERROR_MESSAGE_FIELDS,
  LINK_FIELDS,
  LIST_KEYS,
  NON_LIST_ARRAYS,
  PAGER_FIELDS,
  PAGER_LABEL_PATTERN,
  PAGING_KEYS,
  TOTAL_FIELDS,
} from '../assumptions/index.ts';
import { getField, getTextField, idOf, isObject, type JsonObject, normalizeName } from '../records/fields.ts';
import { hasOnlyMetadata } from './metadata.ts';

/** The entries of a list, and the objects around them, outermost first. */
export interface FoundItems {
  readonly items: readonly unknown[];
  readonly around: readonly JsonObject[];
}

const ENVELOPES = ENVELOPE_KEYS.map(normalizeName);
const PLAIN_LIST_KEYS = LIST_KEYS.map(normalizeName);
const PAGING_OBJECTS = PAGING_KEYS.map(normalizeName);
const SIDE_NAMES = new Set([...NON_LIST_ARRAYS.map(normalizeName), ...PAGING_OBJECTS]);
const TOTALS = TOTAL_FIELDS.map(normalizeName);
const COUNTS = [...TOTAL_FIELDS, ...COUNT_FIELDS].map(normalizeName);
const MAX_DEPTH = 3;

/**
 * Returns the entries in a response of any usual shape (§4 shows none); undefined if it contains no list.
 * @param isLater the page is not the first: an object that holds nothing is a page without entries.
 */
export function findItems(raw: unknown, resource: string, isLater = false): FoundItems | undefined {
  if (raw === undefined || raw === null) return { items: [], around: [] };
  if (Array.isArray(raw)) return parsePair(raw) ?? unwrapNested({ items: raw, around: [] });
  if (!isObject(raw)) return undefined;
  const names = [normalizeName(resource), ...PLAIN_LIST_KEYS];
  const found = findInObject(raw, names);
  if (found) return unwrapNested(found);
  return isEmptyList(raw, names, isLater) ? { items: [], around: [raw] } : undefined;
}

/** Returns true if an object without a list is a page without entries: `{"documents": null}`, `{"count": 0}`. */
function isEmptyList(raw: JsonObject, names: readonly string[], isLater: boolean): boolean {
  const values = names.map((name) => indexByNormalizedName(raw).get(name));
  return (
    values.some((value) => value === null || (isLater && isEmptyValue(value))) ||
    hasZeroCount(raw, COUNTS) ||
    hasOnlyMetadata(raw, isLater) ||
    isEmptyEnvelope(raw, isLater)
  );
}

/** `{"QueryResponse": {}, "time": …}`: all that may hold entries is empty, in an envelope or after the first page. */
function isEmptyEnvelope(raw: JsonObject, isLater: boolean): boolean {
  const [[name, value] = [''], ...others] = Object.entries(raw).filter(([, one]) => typeof one === 'object');
  if (others.length > 0 || !isObject(value) || !isEmptyValue(value)) return false;
  const isEnvelope = ENVELOPES.some((envelope) => normalizeName(name).endsWith(envelope));
  return isLater || (isEnvelope && idOf(raw) === undefined && !getTextField(raw, ERROR_MESSAGE_FIELDS));
}

function findInObject(raw: JsonObject, names: readonly string[]): FoundItems | undefined {
  const [resource = ''] = names;
  return (
    findNamed([raw], names) ??
    (hasZeroCount(raw, TOTALS) ? { items: [], around: [raw] } : undefined) ??
    findEmptyResource(raw, resource) ??
    findOnlyArray([raw]) ??
    findSingle(raw, resource)
  );
}

/** `[{page: 1, total: 57}, [{…}, {…}]]`: metadata and the list. */
function parsePair(raw: readonly unknown[]): FoundItems | undefined {
  const [about, items] = raw;
  if (raw.length !== 2 || !isObject(about) || idOf(about) !== undefined) return undefined;
  if (items === null) return { items: [], around: [about] };
  return Array.isArray(items) ? { items, around: [about] } : undefined;
}

/** `[[{…}, {…}]]`: entries are objects, so the inner array is the list. */
function unwrapNested(found: FoundItems): FoundItems {
  const [only] = found.items;
  return found.items.length === 1 && Array.isArray(only) ? { ...found, items: only } : found;
}

/** `{"documents": null, "owners": [{…}]}`: the resource has its own field, so another array is not the list. */
function findEmptyResource(raw: JsonObject, resource: string): FoundItems | undefined {
  const top = indexByNormalizedName(raw);
  const envelopes = ENVELOPES.map((name) => top.get(name)).filter(isObject);
  const parent = [raw, ...envelopes].find((one) => isEmptyValue(indexByNormalizedName(one).get(resource)));
  if (parent === undefined) return undefined;
  return { items: [], around: parent === raw ? [raw] : [raw, parent] };
}

function isEmptyValue(value: unknown): boolean {
  return value === null || value === '' || value === false || (isObject(value) && Object.keys(value).length === 0);
}

/** Returns the list under a usual name, at the top or in envelopes. */
function findNamed(around: readonly JsonObject[], names: readonly string[]): FoundItems | undefined {
  const parent = around.at(-1);
  if (!parent || around.length > MAX_DEPTH + 1) return undefined;
  const fields = indexByNormalizedName(parent);
  const lists = names.flatMap((name) => {
    const value = fields.get(name);
    const list = isNumberedObject(value) ? Object.values(value) : value;
    return isList(list, name) ? [{ name, list, around }] : [];
  });
  // An empty array whose name may also mean pagination, such as `links`, is not the list if another one has entries.
  const [first] = lists;
  const found =
    first && first.list.length === 0 && SIDE_NAMES.has(first.name) && !COUNTS.some((name) => fields.get(name) === 0)
      ? (lists.find(({ list }) => list.length > 0 && list.every(isObject)) ?? first)
      : first;
  if (found) return { items: found.list, around };
  for (const name of [...ENVELOPES, ...names]) {
    const value = fields.get(name);
    const nested = isObject(value) ? findNamed([...around, value], names) : undefined;
    if (nested) return nested;
  }
  return undefined;
}

/** Returns the only array that may be the list, whatever its name; of several, the one that holds objects. */
function findOnlyArray(around: readonly JsonObject[]): FoundItems | undefined {
  const parent = around.at(-1);
  if (!parent || around.length > MAX_DEPTH + 1) return undefined;
  const fields = new Map([...indexByNormalizedName(parent)].filter(([name]) => !SIDE_NAMES.has(name)));
  const arrays = [...fields].flatMap(([name, value]) => (isList(value, name) ? [value] : []));
  const filled = arrays.length > 1 ? arrays.filter((array) => array.some(isObject)) : arrays;
  if (filled[0]) return filled.length === 1 ? { items: filled[0], around } : undefined;
  for (const name of new Set([...ENVELOPES, ...fields.keys()])) {
    const value = fields.get(name);
    const nested = isObject(value) ? findOnlyArray([...around, value]) : undefined;
    if (nested) return nested;
  }
  return undefined;
}

/** `{"documents": {"document": {…}}}`: JSON made from XML, in which a single entry is not an array. */
function findSingle(raw: JsonObject, resource: string): FoundItems | undefined {
  const parent = indexByNormalizedName(raw).get(resource);
  if (!isObject(parent)) return undefined;
  const [[name, entry] = [''], ...rest] = Object.entries(parent);
  const isOne = rest.length === 0 && isObject(entry) && normalizeName(name) === resource.replace(/s$/, '');
  return isOne ? { items: [entry], around: [raw] } : undefined;
}

/** A service may omit a list without entries: `{"total": 0}`, `{"page": {"totalElements": 0}}`. */
function hasZeroCount(raw: JsonObject, counts: readonly string[]): boolean {
  const fields = indexByNormalizedName(raw);
  const inner = [...ENVELOPES, ...PAGING_OBJECTS].map((name) => fields.get(name)).filter(isObject);
  const about = [fields, ...inner.map(indexByNormalizedName)].flatMap((one) => counts.map((name) => one.get(name)));
  const numbers = about.filter(isCount).map(Number);
  return numbers.length > 0 && numbers.every((count) => count === 0);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
}

/** An array that may be a list; `links: [{rel: "next", href}]` beside one is about pagination. */
function isList(value: unknown, name: string): value is readonly unknown[] {
  return Array.isArray(value) && !(/^links?$/.test(name) && isLinkArray(value));
}

/** `{"20": {…}, "21": {…}}`: PHP writes an array like this if it does not begin at 0 or lacks an entry. */
function isNumberedObject(value: unknown): value is JsonObject {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.length > 0 && entries.every(([name, entry]) => /^\d{1,9}$/.test(name) && isObject(entry));
}

export function isLinkArray(value: unknown): value is readonly JsonObject[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every(isObject) && (value.every(isRelation) || isPager(value))
  );
}

/** The relations of a link: `rel: "next"`, `rel: ["next"]`, or `relation: "next"`. */
export function getRelations(entry: JsonObject): readonly unknown[] {
  const rel = getField(entry, 'rel') ?? getField(entry, 'relation');
  return Array.isArray(rel) ? rel : [rel];
}

function isRelation(entry: JsonObject): boolean {
  const isNullLink = LINK_FIELDS.some((name) => getField(entry, name) === null) && idOf(entry) === undefined;
  const hasAddress = isNullLink || getTextField(entry, LINK_FIELDS);
  return Boolean(hasAddress) && getRelations(entry).every((rel) => typeof rel === 'string');
}

/** The buttons of a pager, one per page: `[{url: null, label: "Previous"}, {url, label: "1", active: true}, …]`. */
function isPager(entries: readonly JsonObject[]): boolean {
  const isButton = (entry: JsonObject) =>
    typeof entry['active'] === 'boolean' && Object.keys(entry).every((name) => PAGER_FIELDS.includes(name));
  const labels = entries.map(({ label }) => `${label}`);
  return (
    entries.every(isButton) &&
    labels.every((label) => PAGER_LABEL_PATTERN.test(label)) &&
    labels.some((label) => /\D/.test(label))
  );
}

/** Fields by their plain names; of `links` and `_links` the former. */
function indexByNormalizedName(parent: JsonObject): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(parent)) {
    const plain = normalizeName(name);
    if (!fields.has(plain) || !name.startsWith('_')) fields.set(plain, value);
  }
  return fields;
}
