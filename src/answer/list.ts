import {
  AFTER_ID_PARAM,
  CURSOR_FIELDS,
  ENVELOPE_KEYS,
  LIST_KEYS,
  MORE_FIELDS,
  PAGE_NUMBERS,
  PAGING_KEYS,
  SIDE_LISTS,
  TOTAL_FIELDS,
} from '../assumptions/index.ts';
import { fieldOf, idOf, isObject, type JsonObject, textField } from './fields.ts';

/** Query parameters to add to the same call for the next page. */
export type NextQuery = Readonly<Record<string, string>>;

export interface Page<Item> {
  readonly items: readonly Item[];
  /** What to add to the query for the next page; undefined where nothing says that there is one. */
  readonly next: NextQuery | undefined;
  /** The answer as the service gave it. */
  readonly raw: unknown;
}

/** Reads a list answer in any of the usual envelopes (§4 shows none); undefined where it holds no list. */
export function readPage(
  raw: unknown,
  context: { resource: string; headers: Readonly<Record<string, string>> },
): Page<JsonObject> | undefined {
  const plain = uncapitalizeKeys(raw, 3);
  const list = findList(plain, context.resource);
  if (list === undefined) return undefined;
  const items = list.map(itemOf);
  return { items, next: findNext(plain, items, context.headers), raw };
}

/** `NextCursor` reads as `nextCursor`: a PascalCase service must not lose its next page. Items stay as they came. */
function uncapitalizeKeys(value: unknown, depth: number): unknown {
  if (!isObject(value) || depth === 0) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key.charAt(0).toLowerCase() + key.slice(1),
      uncapitalizeKeys(entry, depth - 1),
    ]),
  );
}

/** A list of bare texts or numbers still gives objects, so that every reader of items stays simple. */
function itemOf(item: unknown): JsonObject {
  if (!isObject(item)) return { value: item };
  const { node } = item;
  const isEdge = isObject(node) && Object.keys(item).every((key) => key === 'node' || key === 'cursor');
  return isEdge ? node : item;
}

function findList(raw: unknown, resource: string): readonly unknown[] | undefined {
  if (raw === undefined || raw === null) return [];
  if (Array.isArray(raw)) return raw;
  const camel = resource.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = [resource, camel, ...LIST_KEYS];
  return findNamed(raw, names, 0) ?? findOnly(raw, 0) ?? (holdsNull(raw, names) ? [] : undefined);
}

/** The list under a usual name, at the top or in envelopes. */
function findNamed(raw: unknown, names: readonly string[], depth: number): readonly unknown[] | undefined {
  if (!isObject(raw) || depth > 3) return undefined;
  for (const key of names) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (Array.isArray(value)) return value;
  }
  for (const key of [...ENVELOPE_KEYS, ...names]) {
    const nested = Object.hasOwn(raw, key) ? findNamed(raw[key], names, depth + 1) : undefined;
    if (nested) return nested;
  }
  return undefined;
}

/** The one array that may be the list, whatever its name; of several, the one that holds objects. */
function findOnly(raw: unknown, depth: number): readonly unknown[] | undefined {
  if (!isObject(raw) || depth > 3) return undefined;
  const arrays = Object.entries(raw).flatMap(([key, value]) =>
    Array.isArray(value) && !SIDE_LISTS.includes(key) ? [value as readonly unknown[]] : [],
  );
  const filled = arrays.length > 1 ? arrays.filter((array) => array.some(isObject)) : arrays;
  if (filled.length > 0) return filled.length === 1 ? filled[0] : undefined;
  for (const key of ENVELOPE_KEYS) {
    const nested = Object.hasOwn(raw, key) ? findOnly(raw[key], depth + 1) : undefined;
    if (nested) return nested;
  }
  return undefined;
}

function holdsNull(raw: unknown, names: readonly string[]): boolean {
  return isObject(raw) && names.some((key) => Object.hasOwn(raw, key) && raw[key] === null);
}

function findNext(
  raw: unknown,
  items: readonly JsonObject[],
  headers: Readonly<Record<string, string>>,
): NextQuery | undefined {
  const linked = nextOfLinkHeader(headers['link']);
  if (linked) return linked;
  if (!isObject(raw)) return undefined;
  const holders = [raw, ...nestedHolders(raw, 2)];
  const more = holders.map(moreFlag).find((flag) => flag !== undefined);
  if (more === false) return undefined;
  for (const holder of holders) {
    const next = cursorOf(holder);
    if (next) return next;
  }
  for (const holder of holders) {
    const next = nextPageNumber(holder, more) ?? nextOffset(holder, items.length, more);
    if (next) return next;
  }
  const last = idOf(items.at(-1));
  return more === true && last !== undefined ? { [AFTER_ID_PARAM]: last } : undefined;
}

function nestedHolders(holder: JsonObject, depth: number): JsonObject[] {
  if (depth === 0) return [];
  return [...PAGING_KEYS, ...ENVELOPE_KEYS].flatMap((key) => {
    const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
    return isObject(value) ? [value, ...nestedHolders(value, depth - 1)] : [];
  });
}

function moreFlag(holder: JsonObject): boolean | undefined {
  for (const field of MORE_FIELDS) if (typeof holder[field] === 'boolean') return holder[field];
  return undefined;
}

function cursorOf(holder: JsonObject): NextQuery | undefined {
  for (const [field, params] of Object.entries(CURSOR_FIELDS)) {
    const value = fieldOf(holder, field);
    const text = isObject(value)
      ? textField(value, ['href', 'url', 'after', 'cursor'])
      : textField(holder, [field]);
    if (text === undefined) continue;
    const query = queryOfAddress(text);
    if (query) return query;
    if (field === 'next' && typeof value === 'number') return { page: text };
    return Object.fromEntries(params.split(' ').map((param) => [param, text]));
  }
  return undefined;
}

/** Only the query of a next address is used: the address itself may lead to another host. */
function queryOfAddress(text: string): NextQuery | undefined {
  if (!/^(https?:\/\/|\/|\?)/.test(text)) return undefined;
  try {
    const all = [...new URL(text, 'http://localhost').searchParams];
    // A repeated parameter stays as the caller gave it: one text can't hold several.
    const query = Object.fromEntries(
      all.filter(([name]) => all.filter(([other]) => other === name).length === 1),
    );
    return Object.keys(query).length > 0 ? query : undefined;
  } catch {
    return undefined;
  }
}

function nextOfLinkHeader(header: string | undefined): NextQuery | undefined {
  for (const [, address, params] of header?.matchAll(/<([^>]*)>((?:\s*;\s*[^,;]+)*)/g) ?? []) {
    if (address !== undefined && /;\s*rel\s*=\s*"?([^";]*\s)?next(\s[^";]*)?"?\s*(;|$)/i.test(params ?? '')) {
      return queryOfAddress(address);
    }
  }
  return undefined;
}

function nextPageNumber(holder: JsonObject, more: boolean | undefined): NextQuery | undefined {
  for (const [current, last] of PAGE_NUMBERS) {
    const page = holder[current];
    if (typeof page !== 'number') continue;
    if (more === true || page < Number(holder[last])) return { page: String(page + 1) };
  }
  return undefined;
}

function nextOffset(holder: JsonObject, count: number, more: boolean | undefined): NextQuery | undefined {
  const { offset } = holder;
  if (typeof offset !== 'number' || count === 0) return undefined;
  const total = Number(textField(holder, TOTAL_FIELDS));
  return more === true || offset + count < total ? { offset: String(offset + count) } : undefined;
}
