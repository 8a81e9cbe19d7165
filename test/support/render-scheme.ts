/** Renders a page of a list from its pagination scheme, as a service with that scheme would. */
import type { PagingScheme } from '../../src/profile/paging-scheme.ts';

export interface RenderedPage {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the page that a query requests. Of a scheme's parameter names, only the first is accepted. */
export function renderPage(
  scheme: PagingScheme,
  entries: readonly object[],
  { query, path }: { query: URLSearchParams; path: string },
): RenderedPage {
  const { default: usual = 20, param: sizeParam = 'limit' } = scheme.size;
  const size = Number(query.get(sizeParam) ?? usual);
  const from = firstEntry(scheme, entries, { query, size });
  const items = entries.slice(from, from + size);
  const more = from + size < entries.length;
  const next = nextValue(scheme, { from, size, path });
  const fields: [readonly string[], unknown][] = [[scheme.at, items]];
  if (scheme.total) fields.push([scheme.total, entries.length]);
  if (scheme.more) fields.push([scheme.more.at, more ? scheme.more.means : negate(scheme.more.means)]);
  const { at, header } = scheme.next ?? {};
  if (at && next !== undefined) fields.push([at, more || isNumbered(scheme) ? next : null]);
  return {
    body: scheme.at.length === 0 ? items : toObject(fields),
    headers: header && more ? { [header]: header === 'link' ? `<${next}>; rel="next"` : String(next) } : {},
  };
}

const isNumbered = ({ next }: PagingScheme) => next?.by === 'page' || next?.by === 'offset';

function firstEntry(
  { next }: PagingScheme,
  entries: readonly object[],
  { query, size }: { query: URLSearchParams; size: number },
): number {
  const [param = ''] = next?.params ?? [];
  const value = query.get(param);
  if (value === null || !next) return 0;
  const { first = next.by === 'page' ? 1 : 0 } = next;
  if (next.by === 'page') return (Number(value) - first) * size;
  if (next.by === 'offset') return Number(value) - first;
  if (next.by === 'after-id') return entries.findIndex((entry) => 'id' in entry && entry.id === value) + 1;
  return Number(value.replace(/^c/, ''));
}

/** Returns the value of the next-page field: the page's number, if pages are numbered. */
function nextValue(
  { next }: PagingScheme,
  { from, size, path }: { from: number; size: number; path: string },
): string | number | undefined {
  const { by, params: [param = ''] = [], first = by === 'page' ? 1 : 0 } = next ?? {};
  if (by === 'page') return from / size + first;
  if (by === 'offset') return from + first;
  if (by === 'cursor') return `c${from + size}`;
  return by === 'url' ? `${path}?${param}=c${from + size}` : undefined;
}

function negate(means: boolean | number | string): boolean | number | string {
  if (typeof means === 'boolean') return !means;
  return typeof means === 'number' ? 0 : 'false';
}

function toObject(fields: readonly [readonly string[], unknown][]): object {
  const body: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    let parent = body;
    for (const name of path.slice(0, -1)) {
      parent[name] ??= {};
      parent = parent[name] as Record<string, unknown>;
    }
    parent[path.at(-1) ?? ''] = value;
  }
  return body;
}
