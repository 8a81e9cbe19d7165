import type { PagingScheme } from '../../src/profile/paging-scheme.ts';
import type { PositionKind, ResponseTemplateValue } from '../profile/paging-preset.ts';

/** One page of a list. */
export interface PageSlice {
  /** Number of entries before it. */
  readonly from: number;
  readonly size: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly lastId: string | undefined;
}

export type PageValues = Readonly<Record<string, unknown>>;

/** Returns the number of the first page or entry. */
export function getFirstNumber({ next }: PagingScheme, position: PositionKind): number {
  return next?.first ?? (position === 'page' || position === 'path' ? 1 : 0);
}

/** Returns all values that templates may use. Those that lead to the next page are null on the last one. */
export function getPageValues(
  cut: PageSlice,
  { url, scheme, position }: { url: URL; scheme: PagingScheme; position: PositionKind },
): PageValues {
  const { from, size, total, hasMore } = cut;
  const end = Math.min(from + size, Math.max(from, total));
  const first = getFirstNumber(scheme, position);
  const cursor = Buffer.from(`at:${end}`).toString('base64url');
  const nextPage = Math.floor(end / size) + first;
  const behind = { page: nextPage, path: nextPage, offset: end + first, cursor, id: cut.lastId ?? null }[position];
  const param = scheme.next?.params[0] ?? '';
  const getAddress = (value: string | number | null) => getPageUrl(url, { param, value, position });
  const next = hasMore ? getAddress(behind) : null;
  const start = getAddress(first);
  return {
    page: Math.floor(from / size) + first,
    pages: Math.max(1, Math.ceil(total / size)),
    size,
    total,
    offset: from + first,
    from: from + 1,
    to: Math.min(total, from + size),
    lastIndex: Math.min(total, from + size) - 1,
    hasMore,
    isFirst: from === 0,
    isLast: !hasMore,
    behind,
    next: hasMore ? behind : null,
    nextCursors: hasMore ? [behind] : null,
    nextUrl: next?.href ?? null,
    nextQuery: next?.search ?? null,
    nextPath: next && next.pathname + next.search,
    firstPath: start.pathname + start.search,
    self: url.href,
  };
}

function getPageUrl(
  url: URL,
  { param, value, position }: { param: string; value: string | number | null; position: PositionKind },
): URL {
  const address = new URL(url);
  if (position === 'path') address.pathname = `${url.pathname.replace(/\/page\/\d+$/, '')}/page/${value}`;
  else address.searchParams.set(param, String(value));
  return address;
}

/** Fills a template. List entries whose value is null are omitted. */
export function fillTemplate(template: ResponseTemplateValue, values: PageValues): unknown {
  if (typeof template === 'string') return fillText(template, values);
  if (typeof template !== 'object' || template === null) return template;
  if (isList(template)) {
    const entries = template.map((entry) => fillTemplate(entry, values));
    return entries.filter((entry) => !Object.values(Object(entry)).includes(null));
  }
  return Object.fromEntries(Object.entries(template).map(([name, field]) => [name, fillTemplate(field, values)]));
}

function isList(template: ResponseTemplateValue): template is readonly ResponseTemplateValue[] {
  return Array.isArray(template);
}

function fillText(text: string, values: PageValues): unknown {
  const [, name, asText] = /^\{(\w+)(:text)?\}$/.exec(text) ?? [];
  if (name === undefined) return text;
  return asText ? String(values[name]) : values[name];
}

/** Joins the parts of a header; parts whose value is null are omitted. */
export function fillHeader(parts: readonly string[], values: PageValues): string {
  return parts
    .filter((part) => [...part.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => values[name] !== null))
    .map((part) => part.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])))
    .join(', ');
}
