import {
  COUNT_FIELDS,
  ENVELOPE_KEYS,
  ERROR_MESSAGE_FIELDS,
  LINK_FIELDS,
  LIST_KEYS,
  NON_LIST_ARRAYS,
  PAGER_FIELDS,
  PAGER_LABEL,
  PAGING_KEYS,
  TOTAL_FIELDS,
} from '../assumptions/index.ts';
import { getField, getTextField, idOf, isObject, type JsonObject, normalizeName } from '../records/fields.ts';
import { saysPlaceOnly } from './metadata.ts';

/** A list, and the objects that it stands in, outermost first. */
export interface FoundList {
  readonly list: readonly unknown[];
  readonly around: readonly JsonObject[];
}

const ENVELOPES = ENVELOPE_KEYS.map(normalizeName);
const PLAIN_LIST_KEYS = LIST_KEYS.map(normalizeName);
const PAGED = PAGING_KEYS.map(normalizeName);
const ASIDE = new Set([...NON_LIST_ARRAYS.map(normalizeName), ...PAGED]);
const TOTALS = TOTAL_FIELDS.map(normalizeName);
const COUNTS = [...TOTAL_FIELDS, ...COUNT_FIELDS].map(normalizeName);
const DEEPEST = 3;

/**
 * The list in an answer of any usual shape (§4 shows none); undefined where it holds none.
 * @param isLater of a page behind the first: an object that holds nothing is one without entries.
 */
export function findItems(raw: unknown, resource: string, isLater = false): FoundList | undefined {
  if (raw === undefined || raw === null) return { list: [], around: [] };
  if (Array.isArray(raw)) return pairOf(raw) ?? unnested({ list: raw, around: [] });
  if (!isObject(raw)) return undefined;
  const names = [normalizeName(resource), ...PLAIN_LIST_KEYS];
  const found = findIn(raw, names);
  if (found) return unnested(found);
  const isEmpty =
    saysPlaceOnly(raw, isLater) ||
    isHollow(raw, isLater) ||
    (isLater && names.some((name) => isNone(byPlainName(raw).get(name))));
  return isEmpty ? { list: [], around: [raw] } : undefined;
}

/** `{"QueryResponse": {}, "time": …}`: all that may hold entries is empty, in an envelope or behind the first page. */
function isHollow(raw: JsonObject, isLater: boolean): boolean {
  const [[name, value] = [''], ...others] = Object.entries(raw).filter(([, one]) => typeof one === 'object');
  if (others.length > 0 || !isObject(value) || !isNone(value)) return false;
  const isEnvelope = ENVELOPES.some((envelope) => normalizeName(name).endsWith(envelope));
  return isLater || (isEnvelope && idOf(raw) === undefined && !getTextField(raw, ERROR_MESSAGE_FIELDS));
}

function findIn(raw: JsonObject, names: readonly string[]): FoundList | undefined {
  const [resource = ''] = names;
  return (
    findNamed([raw], names) ??
    countedNone(raw, TOTALS) ??
    noneOf(raw, resource) ??
    findOnly([raw]) ??
    singleOf(raw, resource) ??
    emptyOf(raw, names) ??
    countedNone(raw, COUNTS)
  );
}

/** `[{page: 1, total: 57}, [{…}, {…}]]`: what is said about a list, and the list. */
function pairOf(raw: readonly unknown[]): FoundList | undefined {
  const [said, list] = raw;
  if (raw.length !== 2 || !isObject(said) || idOf(said) !== undefined) return undefined;
  if (list === null) return { list: [], around: [said] };
  return Array.isArray(list) ? { list, around: [said] } : undefined;
}

/** `[[{…}, {…}]]`: entries are objects, so that the one array is the list. */
function unnested(found: FoundList): FoundList {
  const [only] = found.list;
  return found.list.length === 1 && Array.isArray(only) ? { ...found, list: only } : found;
}

/** `{"documents": null, "owners": [{…}]}`: what is listed has a name of its own there, so that another array is not it. */
function noneOf(raw: JsonObject, resource: string): FoundList | undefined {
  const top = byPlainName(raw);
  const envelopes = ENVELOPES.map((name) => top.get(name)).filter(isObject);
  const holder = [raw, ...envelopes].find((one) => isNone(byPlainName(one).get(resource)));
  if (holder === undefined) return undefined;
  return { list: [], around: holder === raw ? [raw] : [raw, holder] };
}

function isNone(value: unknown): boolean {
  return (
    value === null || value === '' || value === false || (isObject(value) && Object.keys(value).length === 0)
  );
}

/** The list under a usual name, at the top or in envelopes. */
function findNamed(around: readonly JsonObject[], names: readonly string[]): FoundList | undefined {
  const holder = around.at(-1);
  if (!holder || around.length > DEEPEST + 1) return undefined;
  const fields = byPlainName(holder);
  const lists = names.flatMap((name) => {
    const value = fields.get(name);
    const list = isNumbered(value) ? Object.values(value) : value;
    return isList(list, name) ? [{ name, list, around }] : [];
  });
  // An empty array of a name that may also say how a list goes on, as `links`, is not the list where another has entries.
  const [first] = lists;
  const found =
    first &&
    first.list.length === 0 &&
    ASIDE.has(first.name) &&
    !COUNTS.some((name) => fields.get(name) === 0)
      ? (lists.find(({ list }) => list.length > 0 && list.every(isObject)) ?? first)
      : first;
  if (found) return { list: found.list, around };
  for (const name of [...ENVELOPES, ...names]) {
    const value = fields.get(name);
    const nested = isObject(value) ? findNamed([...around, value], names) : undefined;
    if (nested) return nested;
  }
  return undefined;
}

/** The one array that may be the list, whatever its name; of several, the one that holds objects. */
function findOnly(around: readonly JsonObject[]): FoundList | undefined {
  const holder = around.at(-1);
  if (!holder || around.length > DEEPEST + 1) return undefined;
  const fields = [...byPlainName(holder)].filter(([name]) => !ASIDE.has(name));
  const arrays = fields.flatMap(([name, value]) => (isList(value, name) ? [value] : []));
  const filled = arrays.length > 1 ? arrays.filter((array) => array.some(isObject)) : arrays;
  if (filled[0]) return filled.length === 1 ? { list: filled[0], around } : undefined;
  for (const [, value] of fields.sort(([a], [b]) => envelopeRank(a) - envelopeRank(b))) {
    const nested = isObject(value) ? findOnly([...around, value]) : undefined;
    if (nested) return nested;
  }
  return undefined;
}

function envelopeRank(name: string): number {
  const rank = ENVELOPES.indexOf(name);
  return rank < 0 ? ENVELOPES.length : rank;
}

/** `{"documents": {"document": {…}}}`: of XML made into JSON, where one entry is no array. */
function singleOf(raw: JsonObject, resource: string): FoundList | undefined {
  const holder = byPlainName(raw).get(resource);
  if (!isObject(holder)) return undefined;
  const [[name, entry] = [''], ...rest] = Object.entries(holder);
  const isOne = rest.length === 0 && isObject(entry) && normalizeName(name) === resource.replace(/s$/, '');
  return isOne ? { list: [entry], around: [raw] } : undefined;
}

/** `{"documents": null}` is a list without entries. */
function emptyOf(raw: JsonObject, names: readonly string[]): FoundList | undefined {
  const fields = byPlainName(raw);
  return names.some((name) => fields.get(name) === null) ? { list: [], around: [raw] } : undefined;
}

/** A service may leave out the list that has no entries: `{"total": 0}`, `{"page": {"totalElements": 0}}`. */
function countedNone(raw: JsonObject, counts: readonly string[]): FoundList | undefined {
  const fields = byPlainName(raw);
  const inner = [...ENVELOPES, ...PAGED].map((name) => fields.get(name)).filter(isObject);
  const said = [fields, ...inner.map(byPlainName)].flatMap((one) => counts.map((name) => one.get(name)));
  const numbers = said.filter(isCount).map(Number);
  const isNone = numbers.length > 0 && numbers.every((count) => count === 0);
  return isNone ? { list: [], around: [raw] } : undefined;
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
}

/** An array that may be a list: `links: [{rel: "next", href}]` beside one says how it goes on. */
function isList(value: unknown, name: string): value is readonly unknown[] {
  return Array.isArray(value) && !(name === 'links' && isLinkArray(value));
}

/** A list whose places are names, `{"20": {…}, "21": {…}}`: PHP writes one so that begins behind 0 or has lost an entry. */
function isNumbered(value: unknown): value is JsonObject {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.length > 0 && entries.every(([name, entry]) => /^\d{1,9}$/.test(name) && isObject(entry));
}

export function isLinkArray(value: unknown): value is readonly JsonObject[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(isObject) &&
    (value.every(isRelation) || isPager(value))
  );
}

/** What a link is to the list: `rel: "next"`, or `rel: ["next"]`; that there is none, `href: null` says. */
export function relationsOf(entry: JsonObject): readonly unknown[] {
  const rel = getField(entry, 'rel');
  return Array.isArray(rel) ? rel : [rel];
}

function isRelation(entry: JsonObject): boolean {
  const isNone = LINK_FIELDS.some((name) => getField(entry, name) === null) && idOf(entry) === undefined;
  const hasAddress = isNone || getTextField(entry, LINK_FIELDS);
  return Boolean(hasAddress) && relationsOf(entry).every((rel) => typeof rel === 'string');
}

/** The buttons of a pager, one a page: `[{url: null, label: "Previous", active: false}, {url, label: "1", active: true}, …]`. */
function isPager(entries: readonly JsonObject[]): boolean {
  const isButton = (entry: JsonObject) =>
    typeof entry['active'] === 'boolean' && Object.keys(entry).every((name) => PAGER_FIELDS.includes(name));
  const labels = entries.map(({ label }) => `${label}`);
  return (
    entries.every(isButton) &&
    labels.every((label) => PAGER_LABEL.test(label)) &&
    labels.some((label) => /\D/.test(label))
  );
}

/** Of `links` and `_links`, the one that is no convention of a format. */
function byPlainName(holder: JsonObject): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(holder)) {
    const plain = normalizeName(name);
    if (!fields.has(plain) || !name.startsWith('_')) fields.set(plain, value);
  }
  return fields;
}
