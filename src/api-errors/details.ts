import {
  DETAIL_CODE_FIELDS,
  DETAIL_LISTS,
  DETAIL_MESSAGE_FIELDS,
  DETAIL_RULES_FIELD,
  DETAIL_SUBJECT_FIELDS,
  ENTRY_MESSAGE_FIELDS,
  ERROR_CONTAINERS,
  PATH_PREFIXES,
  WHOLE_INPUT_KEYS,
} from '../assumptions/index.ts';
import { isObject, type JsonObject } from '../records/fields.ts';

/** One problem as the service reports it; not yet bounded or redacted. */
export interface RawDetail {
  readonly field: string;
  readonly message: string;
  readonly code?: string | undefined;
}

/** Bounds of the search in a hostile body. */
const MAX_DETAILS = 20;
const MAX_VISITS = 2000;
const MAX_DEPTH = 6;

interface Search {
  readonly details: RawDetail[];
  visits: number;
}

/**
 * Finds the single problems in a JSON error of any usual form: lists of objects or texts, or objects of lists
 * by field, at the top or inside `error` and the like. Empty if the error has only one message.
 */
export function findErrorDetails(raw: unknown): readonly RawDetail[] {
  const search: Search = { details: [], visits: 0 };
  if (Array.isArray(raw)) collectEntries(search, raw, { path: '', depth: 0 });
  for (const container of getErrorContainers(raw)) {
    if (search.details.length > 0) break;
    collectLists(search, container, { path: '', depth: 0 });
  }
  // Django's form: the body itself maps fields to lists.
  if (search.details.length === 0 && isObject(raw) && Object.values(raw).every(isTextList))
    collectByField(search, raw, { path: '', depth: 0 });
  return search.details;
}

/** The object itself, then the objects that wrap the error, from the outside in. */
export function getErrorContainers(raw: unknown): readonly JsonObject[] {
  const containers: JsonObject[] = isObject(raw) ? [raw] : [];
  // The array grows during the loop: a container may hold another.
  for (const container of containers) {
    if (containers.length > 10) break;
    for (const name of ERROR_CONTAINERS) {
      const inner = getOwnProperty(container, name);
      const [first] = Array.isArray(inner) ? inner : [inner];
      if (isObject(first)) containers.push(first);
    }
  }
  return containers.slice(0, 12);
}

interface DetailPosition {
  /** Dotted path of the field that the entries are about. */
  readonly path: string;
  readonly depth: number;
}

function collectLists(search: Search, container: JsonObject, position: DetailPosition): void {
  for (const name of DETAIL_LISTS) {
    const list = getOwnProperty(container, name);
    if (Array.isArray(list)) collectEntries(search, list, position);
    // Hapi's `validation: {source, keys}` repeats the names of the message.
    else if (isObject(list) && !Array.isArray(getOwnProperty(list, 'keys'))) collectObject(search, list, position);
  }
}

function collectEntries(search: Search, entries: readonly unknown[], position: DetailPosition): void {
  for (const entry of entries) {
    if (isExhausted(search, position)) return;
    if (typeof entry === 'string') addDetail(search, { field: position.path, message: entry });
    else if (Array.isArray(entry)) collectEntries(search, entry, toDeeper(position));
    else if (isObject(entry)) collectEntry(search, entry, position);
  }
}

/** Collects an entry's own message, the lists inside it, or its lists by field. */
function collectEntry(search: Search, entry: JsonObject, position: DetailPosition): void {
  const message = getFirstText(entry, DETAIL_MESSAGE_FIELDS);
  const field = joinPath(position.path, getEntryField(entry));
  if (message !== undefined) {
    addDetail(search, { field, message, code: getEntryCode(entry) });
    return;
  }
  const constraints = getOwnProperty(entry, DETAIL_RULES_FIELD);
  if (isObject(constraints)) {
    for (const [code, value] of Object.entries(constraints))
      if (typeof value === 'string' && !isExhausted(search, position))
        addDetail(search, { field, message: value, code });
    return;
  }
  const countBefore = search.details.length;
  collectLists(search, entry, { ...toDeeper(position), path: field });
  if (search.details.length === countBefore) collectByField(search, entry, position);
}

/** Reads an object instead of a list: one entry, more lists, or lists by field. */
function collectObject(search: Search, list: JsonObject, position: DetailPosition): void {
  const isEntry =
    ENTRY_MESSAGE_FIELDS.some((name) => typeof getOwnProperty(list, name) === 'string') &&
    Object.values(list).every((value) => !isTextList(value));
  if (isEntry) collectEntry(search, list, position);
  else collectByField(search, list, position);
}

function collectByField(search: Search, fields: JsonObject, position: DetailPosition): void {
  for (const [name, fieldValue] of Object.entries(fields)) {
    if (isExhausted(search, position)) return;
    const path = WHOLE_INPUT_KEYS.includes(name) ? position.path : joinPath(position.path, name);
    const inner = { path, depth: position.depth + 1 };
    if (typeof fieldValue === 'string') addDetail(search, { field: path, message: fieldValue });
    else if (Array.isArray(fieldValue)) collectEntries(search, fieldValue, inner);
    else if (isObject(fieldValue))
      collectObject(search, fieldValue, isWrapper(name, position) ? toDeeper(position) : inner);
  }
}

/** Zod's flattened form has one more level around its fields. At the top, `fields` may itself be a field of the input. */
function isWrapper(name: string, { path }: DetailPosition): boolean {
  return DETAIL_LISTS.includes(name) && (path !== '' || /errors$/i.test(name));
}

function isExhausted(search: Search, position: DetailPosition): boolean {
  search.visits += 1;
  return search.details.length >= MAX_DETAILS || search.visits > MAX_VISITS || position.depth > MAX_DEPTH;
}

function toDeeper(position: DetailPosition): DetailPosition {
  return { ...position, depth: position.depth + 1 };
}

function addDetail(search: Search, detail: RawDetail): void {
  const message = detail.message.trim();
  const isDuplicate = search.details.some((one) => one.message === message && one.field === detail.field);
  if (message !== '' && !isDuplicate && search.details.length < MAX_DETAILS)
    search.details.push({ ...detail, message });
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

/** Returns the dotted path of the field that an entry is about. */
export function getEntryField(entry: JsonObject, names: readonly string[] = DETAIL_SUBJECT_FIELDS): string {
  for (const name of names) {
    const value = getOwnProperty(entry, name);
    if (typeof value === 'string' && value !== '') return normalizePath(value.slice(0, 1000));
    if (Array.isArray(value) && value.length > 0) return toPath(value.slice(0, 20));
    const nested = isObject(value) ? getEntryField(value) : '';
    if (nested !== '') return nested;
  }
  // JSON Schema validators name a missing field in `params`.
  const params = getOwnProperty(entry, 'params');
  return isObject(params) ? (getFirstText(params, DETAIL_SUBJECT_FIELDS) ?? '') : '';
}

/** Maps `/data/attributes/email`, `#/email`, `$.email` and `body.email` to `email`. */
function normalizePath(path: string): string {
  const isPointer = /^(?:#?\/|#$)/.test(path);
  const parts = isPointer ? path.replace(/^#?\//, '').split('/') : path.replace(/^\$\.?/, '').split('.');
  return isPointer ? toPath(parts) : parts.join('.');
}

function toPath(parts: readonly unknown[]): string {
  const texts = parts.filter((part) => typeof part === 'string' || typeof part === 'number').map(String);
  const start = texts.findIndex((part, index) => index === texts.length - 1 || !PATH_PREFIXES.includes(part));
  return texts.slice(Math.max(0, start)).join('.');
}

function getEntryCode(entry: JsonObject): string | undefined {
  const code = getFirstText(entry, DETAIL_CODE_FIELDS);
  const extensions = getOwnProperty(entry, 'extensions');
  return code ?? (isObject(extensions) ? getFirstText(extensions, DETAIL_CODE_FIELDS) : undefined);
}

/** Returns the first of `names` that holds a text, a number, or a list of texts (joined). */
export function getFirstText(container: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = getOwnProperty(container, name);
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
    if (isTextList(value)) return (value as string[]).slice(0, 5).join('; ');
  }
  return undefined;
}

/** Reads own properties only: a service may name a field like an inherited one. */
function getOwnProperty(container: JsonObject, name: string): unknown {
  return Object.hasOwn(container, name) ? container[name] : undefined;
}

function joinPath(path: string, field: string): string {
  return path === '' || field === '' ? path + field : `${path}.${field}`;
}
