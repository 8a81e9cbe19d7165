import type { SandboxProfile } from '../profile/switches.ts';
import { type FieldError, Rejection } from '../refusal.ts';
import type { Cut, PagingStyle } from './paging-style.ts';
import { PAGING_STYLES } from './paging-styles.ts';
import { createJsonResponse, type HttpResponse } from './reply.ts';
import { styleName, styleNames } from './shape-fields.ts';

/** Parameters that ask for a page size. */
export const SIZE_NAMES = ['limit', 'per_page', 'page_size', 'perPage', 'pageSize'];
const CURSOR_QUERY: Record<string, string> = {
  next_cursor: 'cursor',
  next_page_token: 'page_token',
  end_cursor: 'after',
};

interface Asked {
  readonly entries: readonly unknown[];
  /** Gives an entry the form of the profile; of a long list only those of the page need it. */
  readonly shape?: (entry: unknown) => unknown;
  readonly name: string;
  readonly url: URL;
  readonly profile: SandboxProfile;
}

/** A list in the envelope and with the paging of the profile (§4: both are not shown). */
export function renderList(given: Asked): HttpResponse {
  const { profile, shape = (entry) => entry } = given;
  const style = pagingStyleOf(profile);
  // Who pages by ids reads them in the form that callers see.
  const isById = style?.counts === 'id';
  const asked = isById ? { ...given, entries: given.entries.map(shape) } : given;
  const { entries } = asked;
  const cut = style && cutPage(asked, style);
  const page = cut ? entries.slice(cut.from, cut.from + cut.size) : entries;
  const shown = isById ? page : page.map(shape);
  return createJsonResponse({
    status: 200,
    value: wrap(shown, asked, { style, cut }),
    contentType: profile.contentType,
    headers: style && cut ? headersOf(style, cut, profile) : {},
  });
}

/** How the profile pages; undefined where lists come whole. */
export function pagingStyleOf(profile: SandboxProfile): PagingStyle | undefined {
  if (profile.paging === 'none') return undefined;
  if (profile.paging !== 'cursor') return PAGING_STYLES[profile.paging];
  return {
    words: `\`${profile.cursorName}\` and \`has_more\``,
    counts: 'cursor',
    param: CURSOR_QUERY[profile.cursorName] ?? 'cursor',
    fields: (cut) => ({ has_more: cut.more, [profile.cursorName]: cut.more ? cut.cursor : null }),
  };
}

/** A bare array has no room for anything else, so that it goes on by its header or not at all. */
function headersOf(style: PagingStyle, cut: Cut, profile: SandboxProfile): Record<string, string> {
  if (style.headers) return style.headers(cut);
  if (profile.envelope !== 'bare' || !cut.more) return {};
  return { link: `<${cut.address({ [style.param]: placeBehind(cut, style) })}>; rel="next"` };
}

function placeBehind(cut: Cut, { counts }: PagingStyle): string | number {
  if (counts === 'cursor') return cut.cursor;
  if (counts === 'id') return cut.lastId ?? '';
  const from = cut.from + cut.size;
  if (counts === 'offset') return from;
  if (counts === 'offset-from-1') return from + 1;
  return from / cut.size + (counts === 'page-from-0' ? 0 : 1);
}

function cutPage({ entries, url, profile }: Asked, style: PagingStyle): Cut {
  const query = readQuery(url);
  const size = readNumber(query, [...(style.sizes ?? []), ...SIZE_NAMES], {
    fallback: Number(profile.pageSize),
    low: 1,
    high: Number(profile.largestPage),
  });
  const from = readStart({ query, url, size, style, profile, entries });
  // Entries without ids can't be asked for by the last one's.
  const whole = style.counts === 'id' && entries.some((entry) => idOf(entry) === undefined);
  const end = whole ? entries.length : Math.min(from + size, Math.max(from, entries.length));
  return {
    from,
    size: whole ? entries.length : size,
    total: entries.length,
    more: end < entries.length,
    lastId: idOf(entries.slice(from, end).at(-1)),
    cursor: Buffer.from(`at:${end}`).toString('base64url'),
    address: (params, form = 'absolute') => {
      const next = new URL(url);
      for (const [name, value] of Object.entries(params)) {
        if (name === '/') next.pathname = `${pathOf(url)}/page/${value}`;
        else next.searchParams.set(nameIn(name, profile), String(value));
      }
      return form === 'query' ? next.search : form === 'relative' ? next.pathname + next.search : next.href;
    },
  };
}

/** Parameters are read in any case, as most frameworks that write PascalCase do. */
function readQuery(url: URL): ReadonlyMap<string, string> {
  return new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
}

function readStart(asked: {
  query: ReadonlyMap<string, string>;
  url: URL;
  size: number;
  style: PagingStyle;
  profile: SandboxProfile;
  entries: readonly unknown[];
}): number {
  const { query, url, size, style, profile, entries } = asked;
  const { counts } = style;
  const name = nameIn(style.param, profile);
  const range = { low: 0, high: Number.MAX_SAFE_INTEGER };
  if (counts === 'path') return (Number(/\/page\/(\d+)$/.exec(url.pathname)?.[1] ?? 1) - 1) * size;
  if (counts === 'page') return (readNumber(query, [name], { ...range, low: 1, fallback: 1 }) - 1) * size;
  if (counts === 'page-from-0') return readNumber(query, [name], { ...range, fallback: 0 }) * size;
  if (counts === 'offset') return readNumber(query, [name], { ...range, fallback: 0 });
  if (counts === 'offset-from-1') return readNumber(query, [name], { ...range, low: 1, fallback: 1 }) - 1;
  const cursor = query.get(name.toLowerCase()) ?? '';
  if (cursor === '') return 0;
  if (counts === 'id') return entries.findIndex((entry) => idOf(entry) === cursor) + 1;
  const position = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (position === undefined) throw refuseQuery(name, 'is not a cursor of this list');
  return Number(position);
}

function nameIn(param: string, profile: SandboxProfile): string {
  return /^[a-z_]+$/.test(param) && profile.naming !== 'snake'
    ? styleName(param, { ...profile, naming: 'camel' })
    : param;
}

function idOf(entry: unknown): string | undefined {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
  return id === undefined ? undefined : String(id);
}

function pathOf(url: URL): string {
  return url.pathname.replace(/\/page\/\d+$/, '');
}

function readNumber(
  query: ReadonlyMap<string, string>,
  names: readonly string[],
  range: { fallback: number; low: number; high: number },
): number {
  const name = names.find((candidate) => query.has(candidate.toLowerCase()));
  if (name === undefined) return range.fallback;
  const value = Number(query.get(name.toLowerCase()));
  if (!Number.isInteger(value) || value < range.low)
    throw refuseQuery(name, `must be a whole number from ${range.low}`);
  return Math.min(value, range.high);
}

function refuseQuery(field: string, message: string): Rejection {
  const details: FieldError[] = [{ field, message }];
  return new Rejection('badBody', `The query is not valid. ${field}: ${message}`, details);
}

function wrap(
  shown: readonly unknown[],
  { name, profile }: Asked,
  { style, cut }: { style: PagingStyle | undefined; cut: Cut | undefined },
): unknown {
  if (profile.envelope === 'bare') return shown;
  const fields = style?.fields && cut ? styleNames(style.fields(cut), profile) : undefined;
  const fixed = style?.fixed && cut ? styleNames(style.fixed(cut), profile) : undefined;
  const placed =
    profile.pagingPlace === 'top' || !fields ? fields : { [styleName(profile.pagingPlace, profile)]: fields };
  const around = { ...(placed as object), ...(fixed as object) };
  switch (profile.envelope) {
    case 'resource':
      // A list of links can't stand where links to other pages do.
      return {
        [Object.hasOwn(around, styleName(name, profile)) ? 'data' : styleName(name, profile)]: shown,
        ...around,
      };
    case 'nested':
      return { data: { [styleName('items', profile)]: shown }, ...around };
    default:
      return { [styleName(profile.envelope, profile)]: shown, ...around };
  }
}
