import { isObject } from '../base/is-object.ts';
import { type FieldError, Rejection } from '../base/rejection.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { createJsonResponse, type HttpResponse } from './http-response.ts';
import {
  fillHeader,
  fillTemplate,
  getFirstNumber,
  getPageValues,
  type PageSlice,
  type PageValues,
} from './page-values.ts';
import { getPagingRules, type PagingRules } from './paging-rules.ts';

interface ListInput {
  readonly entries: readonly unknown[];
  /** Shapes an entry for the profile; called only for entries of the page. */
  readonly shape?: (entry: unknown) => unknown;
  readonly name: string;
  readonly url: URL;
  readonly profile: SandboxProfile;
}

/** Renders a list in the profile's envelope and paging (§4 specifies neither). */
export function renderList({ profile, name, ...input }: ListInput): HttpResponse {
  const { value, headers } = renderPage(input, getPagingRules(profile, name));
  return createJsonResponse({ status: 200, value, contentType: profile.contentType, headers });
}

/** Renders the requested page: body, and headers that lead to the next page. */
export function renderPage(
  { entries, shape = (entry) => entry, url }: Omit<ListInput, 'profile' | 'name'>,
  rules: PagingRules,
): { value: unknown; headers: Record<string, string> } {
  const { scheme, position } = rules;
  // Requests contain ids as callers see them.
  const isById = position === 'id';
  const all = isById ? entries.map(shape) : entries;
  const hasIds = !isById || all.every((entry) => idOf(entry) !== undefined);
  const part = scheme.next && scheme.next.by !== 'none' ? readPosition(url, all, rules) : undefined;
  const { from, size } = part && hasIds ? part : { from: 0, size: Math.max(1, all.length) };
  const page = all.slice(from, from + size);
  const cut: PageSlice = {
    from,
    size,
    total: all.length,
    hasMore: from + size < all.length,
    lastId: idOf(page.at(-1)),
  };
  const shown = isById ? page : page.map(shape);
  const values = getPageValues(cut, { url, scheme, position });
  return { value: wrap(shown, values, rules), headers: part ? getHeaders(values, rules) : {} };
}

function getHeaders(values: PageValues, { scheme: { next }, atEnd, headers }: PagingRules) {
  const extra = Object.entries(headers).map(([name, parts]) => [name, fillHeader(parts, values)]);
  const name = next?.header?.toLowerCase();
  const value = name === 'link' ? fillHeader(['<{nextUrl}>; rel="next"'], values) : (values['next'] ?? '');
  const nextOne = name === undefined || (value === '' && atEnd !== 'empty') ? [] : [[name, String(value)]];
  return Object.fromEntries([...nextOne, ...extra].filter(([, text]) => text !== '' || atEnd === 'empty'));
}

/** Builds the body: entries at their path, next-page fields, and extras, which take precedence. */
function wrap(shown: readonly unknown[], values: PageValues, { scheme, atEnd, extras }: PagingRules): unknown {
  const { at, next, more, total } = scheme;
  if (at.length === 0) return shown;
  const body = { ...(fillTemplate(extras, values) as Record<string, unknown>) };
  setValueAt(body, at, shown);
  if (more && more.at.length > 0) setValueAt(body, more.at, values['hasMore'] ? more.means : getOtherValue(more.means));
  if (total && total.length > 0) setValueAt(body, total, values['total']);
  // Entries come first, as in most services.
  const [first = ''] = at;
  const inOrder = () => ({ [first]: body[first], ...body });
  if (!next?.at || next.at.length === 0 || next.by === 'none') return inOrder();
  const value = values[next.by === 'url' ? 'nextUrl' : atEnd === 'same' ? 'behind' : 'next'];
  if (value !== null || atEnd === 'null' || atEnd === 'same') setValueAt(body, next.at, value);
  else if (atEnd === 'empty') setValueAt(body, next.at, '');
  return inOrder();
}

function getOtherValue(means: boolean | number | string): boolean | number | string {
  if (typeof means === 'boolean') return !means;
  return typeof means === 'number' ? Number(means === 0) : '';
}

/** Sets a field at a path unless it exists; creates objects on the way. */
function setValueAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  const found = Object.hasOwn(target, name) ? target[name] : undefined;
  if (rest.length === 0) {
    if (found === undefined) define(target, name, value);
    return;
  }
  if (found !== undefined && !isObject(found)) return;
  const inner = { ...found };
  setValueAt(inner, rest, value);
  define(target, name, inner);
}

/** Also sets a field named `__proto__`. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns the start and size of the requested page. */
function readPosition(
  url: URL,
  entries: readonly unknown[],
  { scheme, position, sizeParams }: PagingRules,
): { from: number; size: number } {
  // Parameter names are case-insensitive, as in most frameworks that write PascalCase.
  const query = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const { default: usual = 25, max = Number.MAX_SAFE_INTEGER } = scheme.size;
  const requested = readNumber(query, sizeParams, { fallback: usual, low: 1, high: Math.max(1, max) });
  const first = getFirstNumber(scheme, position);
  const params = scheme.next?.params ?? [];
  switch (position) {
    case 'path':
      return { size: requested, from: (Number(/\/page\/(\d+)$/.exec(url.pathname)?.[1] ?? 1) - 1) * requested };
    case 'page':
      return {
        size: requested,
        from: (readNumber(query, params, { fallback: first, low: first }) - first) * requested,
      };
    case 'offset':
      return { size: requested, from: readNumber(query, params, { fallback: first, low: first }) - first };
    default:
      return { size: requested, from: readCursor(query, entries, { params, position }) };
  }
}

function readCursor(
  query: ReadonlyMap<string, string>,
  entries: readonly unknown[],
  { params, position }: { params: readonly string[]; position: 'cursor' | 'id' },
): number {
  const name = params.find((param) => query.has(param.toLowerCase()));
  const cursor = query.get(name?.toLowerCase() ?? '') ?? '';
  if (name === undefined || cursor === '') return 0;
  if (position === 'id') return entries.findIndex((entry) => idOf(entry) === cursor) + 1;
  const start = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (start === undefined) throw createQueryRejection(name, 'is not a cursor of this list');
  return Number(start);
}

function idOf(entry: unknown): string | undefined {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
  return id === undefined ? undefined : String(id);
}

function readNumber(
  query: ReadonlyMap<string, string>,
  names: readonly string[],
  { fallback, low, high = Number.MAX_SAFE_INTEGER }: { fallback: number; low: number; high?: number },
): number {
  const name = names.find((candidate) => query.has(candidate.toLowerCase()));
  if (name === undefined) return fallback;
  const value = Number(query.get(name.toLowerCase()));
  if (!Number.isSafeInteger(value) || value < low)
    throw createQueryRejection(name, `must be a whole number from ${low}`);
  return Math.min(value, high);
}

export function createQueryRejection(field: string, message: string): Rejection {
  const details: FieldError[] = [{ field, message }];
  return new Rejection('badBody', `The query is not valid. ${field}: ${message}`, details);
}
