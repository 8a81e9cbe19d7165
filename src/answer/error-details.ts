import {
  DETAIL_CODE_FIELDS,
  DETAIL_FIELD_FIELDS,
  DETAIL_LISTS,
  DETAIL_MESSAGE_FIELDS,
  DETAIL_RULES_FIELD,
  ENTRY_MESSAGE_FIELDS,
  ERROR_HOLDERS,
  PATH_STARTS,
  WHOLE_INPUT_KEYS,
} from '../assumptions/index.ts';
import { isObject, type JsonObject } from './fields.ts';

/** One thing that the service objects to, in its own words; not yet bounded or redacted. */
export interface RawDetail {
  readonly field: string;
  readonly message: string;
  readonly code?: string | undefined;
}

/** Of a hostile body nothing beyond this is looked at. */
const MAX_DETAILS = 20;
const MAX_VISITS = 2000;
const MAX_DEPTH = 6;

interface Search {
  readonly found: RawDetail[];
  visits: number;
}

/**
 * What a JSON error says is wrong, one by one, in any of the usual forms: lists of objects or texts, objects of lists by
 * field, at the top or inside `error` and the like. Empty where it holds no more than one message.
 */
export function findDetails(raw: unknown): readonly RawDetail[] {
  const search: Search = { found: [], visits: 0 };
  if (Array.isArray(raw)) readEntries(search, raw, { path: '', depth: 0 });
  for (const holder of getErrorContainers(raw)) {
    if (search.found.length > 0) break;
    readLists(search, holder, { path: '', depth: 0 });
  }
  // Django's form: the body itself is the object of lists by field.
  if (search.found.length === 0 && isObject(raw) && Object.values(raw).every(isListOfTexts))
    readByField(search, raw, { path: '', depth: 0 });
  return search.found;
}

/** The object itself and those that wrap the error in it, from the outside in. */
export function getErrorContainers(raw: unknown): readonly JsonObject[] {
  const holders: JsonObject[] = isObject(raw) ? [raw] : [];
  // Grows while it is walked: a holder may hold another.
  for (const holder of holders) {
    if (holders.length > 10) break;
    for (const name of ERROR_HOLDERS) {
      const inner = own(holder, name);
      const [first] = Array.isArray(inner) ? inner : [inner];
      if (isObject(first)) holders.push(first);
    }
  }
  return holders.slice(0, 12);
}

interface Place {
  /** Dotted path of the field that the entries are about. */
  readonly path: string;
  readonly depth: number;
}

function readLists(search: Search, holder: JsonObject, at: Place): void {
  for (const name of DETAIL_LISTS) {
    const list = own(holder, name);
    if (Array.isArray(list)) readEntries(search, list, at);
    else if (isObject(list)) readObject(search, list, at);
  }
}

function readEntries(search: Search, entries: readonly unknown[], at: Place): void {
  for (const entry of entries) {
    if (isSpent(search, at)) return;
    if (typeof entry === 'string') add(search, { field: at.path, message: entry });
    else if (Array.isArray(entry)) readEntries(search, entry, deeper(at));
    else if (isObject(entry)) readEntry(search, entry, at);
  }
}

/** One entry of a list: its own message, the lists inside it, or an object of lists by field. */
function readEntry(search: Search, entry: JsonObject, at: Place): void {
  const message = getFirstText(entry, DETAIL_MESSAGE_FIELDS);
  const field = joined(at.path, fieldOfEntry(entry));
  if (message !== undefined) {
    add(search, { field, message, code: codeOfEntry(entry) });
    return;
  }
  const rules = own(entry, DETAIL_RULES_FIELD);
  if (isObject(rules)) {
    for (const [code, said] of Object.entries(rules))
      if (typeof said === 'string' && !isSpent(search, at)) add(search, { field, message: said, code });
    return;
  }
  const before = search.found.length;
  readLists(search, entry, { ...deeper(at), path: field });
  if (search.found.length === before) readByField(search, entry, at);
}

/** An object in place of a list: one entry, more lists, or lists by field. */
function readObject(search: Search, list: JsonObject, at: Place): void {
  const isEntry =
    ENTRY_MESSAGE_FIELDS.some((name) => typeof own(list, name) === 'string') &&
    Object.values(list).every((value) => !isListOfTexts(value));
  if (isEntry) readEntry(search, list, at);
  else readByField(search, list, at);
}

function readByField(search: Search, fields: JsonObject, at: Place): void {
  for (const [name, said] of Object.entries(fields)) {
    if (isSpent(search, at)) return;
    const inner = {
      path: WHOLE_INPUT_KEYS.includes(name) ? at.path : joined(at.path, name),
      depth: at.depth + 1,
    };
    // Zod's flattened form holds all of its fields under one more name.
    const place = name !== inner.path && DETAIL_LISTS.includes(name) && isObject(said) ? deeper(at) : inner;
    if (typeof said === 'string') add(search, { field: inner.path, message: said });
    else if (Array.isArray(said)) readEntries(search, said, inner);
    else if (isObject(said)) readObject(search, said, place);
  }
}

function isSpent(search: Search, at: Place): boolean {
  search.visits += 1;
  return search.found.length >= MAX_DETAILS || search.visits > MAX_VISITS || at.depth > MAX_DEPTH;
}

function deeper(at: Place): Place {
  return { ...at, depth: at.depth + 1 };
}

function add(search: Search, detail: RawDetail): void {
  const message = detail.message.trim();
  const known = search.found.some((one) => one.message === message && one.field === detail.field);
  if (message !== '' && !known && search.found.length < MAX_DETAILS)
    search.found.push({ ...detail, message });
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

/** What an entry is about, as a dotted path. */
export function fieldOfEntry(entry: JsonObject, names: readonly string[] = DETAIL_FIELD_FIELDS): string {
  for (const name of names) {
    const value = own(entry, name);
    if (typeof value === 'string' && value !== '') return plainPath(value.slice(0, 1000));
    if (Array.isArray(value) && value.length > 0) return toPath(value.slice(0, 20));
    const nested = isObject(value) ? fieldOfEntry(value) : '';
    if (nested !== '') return nested;
  }
  // JSON Schema's own words name a missing field apart from its place.
  const params = own(entry, 'params');
  return isObject(params) ? (getFirstText(params, DETAIL_FIELD_FIELDS) ?? '') : '';
}

/** `/data/attributes/email`, `#/email`, `$.email` and `body.email` are all about `email`. */
function plainPath(path: string): string {
  const isPointer = /^(?:#?\/|#$)/.test(path);
  const parts = isPointer ? path.replace(/^#?\//, '').split('/') : path.replace(/^\$\.?/, '').split('.');
  return isPointer ? toPath(parts) : parts.join('.');
}

function toPath(parts: readonly unknown[]): string {
  const texts = parts.filter((part) => typeof part === 'string' || typeof part === 'number').map(String);
  const start = texts.findIndex((part, index) => index === texts.length - 1 || !PATH_STARTS.includes(part));
  return texts.slice(Math.max(0, start)).join('.');
}

function codeOfEntry(entry: JsonObject): string | undefined {
  const code = getFirstText(entry, DETAIL_CODE_FIELDS);
  const extensions = own(entry, 'extensions');
  return code ?? (isObject(extensions) ? getFirstText(extensions, DETAIL_CODE_FIELDS) : undefined);
}

/** The first of `names` that holds a text, a number, or a list of texts (as one). */
export function getFirstText(holder: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = own(holder, name);
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
    if (isListOfTexts(value)) return (value as string[]).slice(0, 5).join('; ');
  }
  return undefined;
}

/** A service may name a field like something that every object inherits. */
export function own(holder: JsonObject, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function joined(path: string, field: string): string {
  return path === '' || field === '' ? path + field : `${path}.${field}`;
}
