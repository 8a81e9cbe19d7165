/** Services with odd or broken lists of 57 entries: what a client reads of them, and with how many requests. */

export interface Asked {
  readonly query: URLSearchParams;
  readonly path: string;
  /** Index of the request, from 0. */
  readonly index: number;
}

export interface Oddity {
  readonly answer: (asked: Asked) => { body: unknown; headers?: Record<string, string>; status?: number };
  readonly requests: number;
  /** The error that ends the list: the number of entries read before it, and its reason. */
  readonly stops?: { readonly read: number; readonly reason: RegExp };
  /** The whole list, if it is not `ENTRIES`. */
  readonly entries?: readonly unknown[];
  /** The caller's input. */
  readonly input?: Readonly<Record<string, unknown>>;
}

export const ENTRIES = Array.from({ length: 57 }, (_, at) => ({ id: `d${at}` }));
/** Entries without IDs. */
export const NAMELESS = Array.from({ length: 57 }, (_, at) => ({ name: `n${at}`, odd: at % 2 }));
const EQUAL = Array.from({ length: 57 }, () => ({ name: 'same' }));

type Query = URLSearchParams;
export const cut = (from: number, size = 20, entries: readonly unknown[] = ENTRIES) => entries.slice(from, from + size);
/** A number of the query, which letters may precede. */
export const at = (query: Query, name: string, usual = 0) => Number(query.get(name)?.replace(/^\D+/, '') ?? usual);
/** The number of the requested page, from 1. */
export const pageOf = (query: Query) => at(query, 'page', 1);
/** The entries of the requested page. */
export const pageOfEntries = (query: Query, entries?: readonly unknown[]) => cut((pageOf(query) - 1) * 20, 20, entries);

export type Answer = Oddity['answer'];
export type Row = readonly [name: string, oddity: Oddity];
/** A service in one row. Its name completes a title: `a service …`. */
export const row = (name: string, expected: Omit<Oddity, 'answer'>, answer: Answer): Row => [
  name,
  { answer, ...expected },
];
export const toOddities = (rows: readonly Row[]): Readonly<Record<string, Oddity>> => Object.fromEntries(rows);
/** A service whose list stops after `read` entries. */
export const stop = (
  name: string,
  { requests, reason, read = 20 }: { requests: number; reason: RegExp; read?: number },
  answer: Answer,
): Row => row(name, { requests, stops: { read, reason } }, answer);
/** By page number, with `beside` next to the entries. */
export const paged =
  (beside: (page: number) => object, entries?: readonly unknown[]): Answer =>
  ({ query }) => ({ body: { data: pageOfEntries(query, entries), ...beside(pageOf(query)) } });
const cursorTo = (next: number, end = 57) => (next < end ? `c${next}` : null);
export const SAME = /the same page again/;

export const SOUND_ODDITIES = toOddities([
  row('whose middle pages are shorter than the others', { requests: 5 }, ({ query }) => {
    const from = at(query, 'cursor');
    const size = from === 17 ? 3 : 17;
    return { body: { data: cut(from, size), next_cursor: cursorTo(from + size) } };
  }),
  row('that returns 200 empty pages before one with entries', { requests: 201 }, ({ query }) => {
    const from = at(query, 'cursor');
    return { body: { data: from < 200 ? [] : ENTRIES, next_cursor: cursorTo(from + 1, 201) } };
  }),
  row(
    'whose pages consist of equal entries without IDs, by number',
    { requests: 3, entries: EQUAL },
    paged((page) => ({ page, total: 57 }), EQUAL),
  ),
  row('whose pages begin with the last entry of the previous page', { requests: 3 }, ({ query }) => {
    const from = Math.max(0, at(query, 'cursor') - 1);
    return { body: { data: cut(from), next_cursor: cursorTo(from + 20) } };
  }),
  row('whose list gets a new first entry while it is read', { requests: 3 }, ({ query, index }) => {
    const now = index === 0 ? ENTRIES : [{ id: 'new' }, ...ENTRIES];
    const offset = at(query, 'offset');
    return { body: { data: now.slice(offset, offset + 20), offset, limit: 20, total: now.length } };
  }),
  row('with one cursor for all pages, whose position the service remembers', { requests: 4 }, ({ index }) => ({
    body: { hits: cut(index * 20), scroll_id: 'one' },
  })),
  row('whose total is lower than the number of entries', { requests: 4 }, ({ query }) => ({
    body: { data: cut(at(query, 'offset')), offset: at(query, 'offset'), total: 7 },
  })),
  row('whose next URL is on another origin (only its query is used)', { requests: 3 }, ({ query, path }) => {
    const next = at(query, 'from') + 20;
    const link = `<http://internal:8080${path}?from=c${next}>; rel="next"`;
    return { body: cut(at(query, 'from')), headers: next < 57 ? { link } : {} };
  }),
  row('that marks the end with a cursor of 0', { requests: 3 }, ({ query }) => {
    const next = at(query, 'cursor') + 20;
    return { body: { data: cut(next - 20), next_cursor: next < 57 ? next : 0 } };
  }),
  row(
    'without pagination fields, by number, whose pages have the requested size',
    { requests: 5, input: { limit: 20 } },
    ({ query }) => ({ body: pageOfEntries(query) }),
  ),
  row('without pagination fields, by number from 0', { requests: 4 }, ({ query }) => ({
    body: cut(at(query, 'page') * 20),
  })),
  row('without pagination fields, by offset', { requests: 6, entries: NAMELESS }, ({ query }) => ({
    body: NAMELESS.slice(at(query, 'skip'), at(query, 'skip') + 20),
  })),
  row('that returns all entries at once', { requests: 1 }, () => ({ body: ENTRIES })),
  row(
    'that returns all entries at once, exactly as many as a usual page',
    { requests: 5, entries: cut(0, 50) },
    () => ({ body: cut(0, 50) }),
  ),
  row(
    'that returns all entries at once and rejects unknown parameters',
    { requests: 5, entries: cut(0, 50) },
    ({ query }) => (query.size > 0 ? { status: 400, body: { error: 'unknown parameter' } } : { body: cut(0, 50) }),
  ),
  row('that responds 404 after its last page', { requests: 4 }, (asked) =>
    pageOf(asked.query) > 3 ? { status: 404, body: { detail: 'Invalid page.' } } : paged((page) => ({ page }))(asked),
  ),
]);

export const BROKEN_ODDITIES = toOddities([
  stop('that ignores the cursor', { requests: 7, reason: SAME }, () => ({
    body: { data: cut(0), next_cursor: 'same' },
  })),
  stop('that ignores the page number', { requests: 7, reason: SAME, read: 1 }, ({ index }) => ({
    body: { data: [{ id: 'a', at: index }], page: 1, total_pages: 9 },
  })),
  stop('with a total, that supports none of the usual parameters', { requests: 7, reason: SAME }, () => ({
    body: { data: cut(0), total: 57 },
  })),
  stop('that returns a new cursor for the same page', { requests: 7, reason: SAME, read: 1 }, ({ index }) => ({
    body: { data: [{ id: 'a', views: index }], next_cursor: `c${index}` },
  })),
  stop('whose pages form a loop', { requests: 4, reason: SAME, read: 57 }, ({ index }) => ({
    body: { data: cut((index % 3) * 20), next_cursor: `c${index}` },
  })),
  stop(
    'that returns empty pages forever',
    { requests: 501, reason: /500 pages in a row contained no new entries/, read: 0 },
    ({ index }) => ({ body: { data: [], next_cursor: `c${index}` } }),
  ),
  stop(
    'that announces more entries, but returns an empty page with the same cursor',
    { requests: 2, reason: /the same cursor again/ },
    ({ index }) => ({ body: { data: index === 0 ? cut(0) : [], has_more: true, next_cursor: 'same' } }),
  ),
  stop(
    'whose total is higher than the number of entries',
    { requests: 4, reason: /reports 60 entries but returned 57/, read: 57 },
    ({ query }) => ({ body: { data: cut(at(query, 'offset')), offset: at(query, 'offset'), total: 60 } }),
  ),
  stop(
    'that ends before its total',
    { requests: 2, reason: /reports 57 entries but returned 40/, read: 40 },
    ({ query }) => ({
      body: { data: cut(at(query, 'cursor')), next_cursor: cursorTo(at(query, 'cursor') + 20, 40), total: 57 },
    }),
  ),
  stop(
    'that announces more entries after an empty list',
    { requests: 1, reason: /more entries follow after an empty page/, read: 0 },
    () => ({ body: { data: [], offset: 0, has_more: true } }),
  ),
  stop(
    'whose next URL is that of another list',
    { requests: 1, reason: /points to something other than this list/ },
    () => ({ body: { data: cut(0), next: '/api/v1/contacts?page=2' } }),
  ),
  stop('whose next URL is that of the list itself', { requests: 1, reason: /that of the first page/ }, () => ({
    body: { data: cut(0), links: { next: 'https://docshare.test/api/v1/documents' } },
  })),
]);
