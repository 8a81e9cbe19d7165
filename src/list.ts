import {
  AFTER_ID_PARAM,
  CURSOR_FIELDS,
  ENVELOPE_KEYS,
  LIST_KEYS,
  MORE_FIELDS,
  PAGE_NUMBERS,
  PAGING_KEYS,
} from './assumptions.ts';
import { idOf, isObject, type JsonObject, textField } from './fields.ts';

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
  const list = findList(raw, context.resource);
  if (list === undefined) return undefined;
  // A list of bare texts or numbers still gives objects, so that every reader of items stays simple.
  const items = list.map((item) => (isObject(item) ? item : { value: item }));
  return { items, next: findNext(raw, items, context.headers), raw };
}

function findList(raw: unknown, resource: string): readonly unknown[] | undefined {
  if (raw === undefined || raw === null) return [];
  if (Array.isArray(raw)) return raw;
  if (!isObject(raw)) return undefined;
  const camel = resource.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  for (const key of [resource, camel, ...LIST_KEYS]) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (Array.isArray(value)) return value;
  }
  const arrays = Object.values(raw).filter(Array.isArray);
  const [only] = arrays;
  if (arrays.length === 1 && only) return only;
  for (const key of ENVELOPE_KEYS) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (!isObject(value)) continue;
    const nested = findList(value, resource);
    if (nested !== undefined) return nested;
  }
  const filled = arrays.filter((array) => array.some(isObject));
  const [first] = filled;
  if (filled.length === 1 && first) return first;
  return [resource, camel, ...LIST_KEYS].some((key) => Object.hasOwn(raw, key) && raw[key] === null)
    ? []
    : undefined;
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
    const next = nextPageNumber(holder) ?? nextOffset(holder, items.length);
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
  for (const [field, param] of Object.entries(CURSOR_FIELDS)) {
    const value = Object.hasOwn(holder, field) ? holder[field] : undefined;
    const text = isObject(value)
      ? textField(value, ['href', 'url', 'after', 'cursor'])
      : textField(holder, [field]);
    if (text === undefined) continue;
    const query = queryOfAddress(text);
    if (query) return query;
    if (field === 'next' && typeof value === 'number') return { page: text };
    return { [param]: text };
  }
  return undefined;
}

/** Only the query of a next address is used: the address itself may lead to another host. */
function queryOfAddress(text: string): NextQuery | undefined {
  if (!/^(https?:\/\/|\/|\?)/.test(text)) return undefined;
  try {
    const query = Object.fromEntries(new URL(text, 'http://localhost').searchParams);
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

function nextPageNumber(holder: JsonObject): NextQuery | undefined {
  for (const [current, last] of PAGE_NUMBERS) {
    const page = Number(holder[current]);
    if (typeof holder[current] === 'number' && page < Number(holder[last])) return { page: String(page + 1) };
  }
  return undefined;
}

function nextOffset(holder: JsonObject, count: number): NextQuery | undefined {
  const { offset, total } = holder;
  if (typeof offset !== 'number' || typeof total !== 'number' || count === 0) return undefined;
  return offset + count < total ? { offset: String(offset + count) } : undefined;
}
