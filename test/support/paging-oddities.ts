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

/** A service in one row. Its name completes a title: `a service …`. */
export type Row = readonly [name: string, answer: Oddity['answer'], requests: number, more?: Partial<Oddity>];
export const toOddities = (rows: readonly Row[]): Readonly<Record<string, Oddity>> =>
  Object.fromEntries(rows.map(([name, answer, requests, more]) => [name, { answer, requests, ...more }]));
/** A service whose list stops after `read` entries. */
export const stop = (
  name: string,
  answer: Oddity['answer'],
  requests: number,
  { reason, read = 20 }: { reason: RegExp; read?: number },
): Row => [name, answer, requests, { stops: { read, reason } }];
/** By page number, with `beside` next to the entries. */
export const paged =
  (beside: (page: number) => object, entries?: readonly unknown[]): Oddity['answer'] =>
  ({ query }) => ({ body: { data: pageOfEntries(query, entries), ...beside(pageOf(query)) } });
const cursorTo = (next: number, end = 57) => (next < end ? `c${next}` : null);
export const SAME = /the same page again/;

export const SOUND_ODDITIES = toOddities([
  [
    'whose middle pages are shorter than the others',
    ({ query }) => {
      const from = at(query, 'cursor');
      const size = from === 17 ? 3 : 17;
      return { body: { data: cut(from, size), next_cursor: cursorTo(from + size) } };
    },
    5,
  ],
  [
    'that returns 200 empty pages before one with entries',
    ({ query }) => {
      const from = at(query, 'cursor');
      return { body: { data: from < 200 ? [] : ENTRIES, next_cursor: cursorTo(from + 1, 201) } };
    },
    201,
  ],
  [
    'whose pages consist of equal entries without IDs, by number',
    paged((page) => ({ page, total: 57 }), EQUAL),
    3,
    { entries: EQUAL },
  ],
  [
    'whose pages begin with the last entry of the previous page',
    ({ query }) => {
      const from = Math.max(0, at(query, 'cursor') - 1);
      return { body: { data: cut(from), next_cursor: cursorTo(from + 20) } };
    },
    3,
  ],
  [
    'whose list gets a new first entry while it is read',
    ({ query, index }) => {
      const now = index === 0 ? ENTRIES : [{ id: 'new' }, ...ENTRIES];
      const offset = at(query, 'offset');
      return { body: { data: now.slice(offset, offset + 20), offset, limit: 20, total: now.length } };
    },
    3,
  ],
  [
    'with one cursor for all pages, whose position the service remembers',
    ({ index }) => ({ body: { hits: cut(index * 20), scroll_id: 'one' } }),
    4,
  ],
  [
    'whose total is lower than the number of entries',
    ({ query }) => ({ body: { data: cut(at(query, 'offset')), offset: at(query, 'offset'), total: 7 } }),
    4,
  ],
  [
    'whose next URL is on another origin (only its query is used)',
    ({ query, path }) => {
      const next = at(query, 'from') + 20;
      const link = `<http://internal:8080${path}?from=c${next}>; rel="next"`;
      return { body: cut(at(query, 'from')), headers: next < 57 ? { link } : {} };
    },
    3,
  ],
  [
    'that marks the end with a cursor of 0',
    ({ query }) => {
      const next = at(query, 'cursor') + 20;
      return { body: { data: cut(next - 20), next_cursor: next < 57 ? next : 0 } };
    },
    3,
  ],
  [
    'without pagination fields, by number, whose pages have the requested size',
    ({ query }) => ({ body: pageOfEntries(query) }),
    5,
    { input: { limit: 20 } },
  ],
  ['without pagination fields, by number from 0', ({ query }) => ({ body: cut(at(query, 'page') * 20) }), 4],
  [
    'without pagination fields, by offset',
    ({ query }) => ({ body: NAMELESS.slice(at(query, 'skip'), at(query, 'skip') + 20) }),
    6,
    { entries: NAMELESS },
  ],
  ['that returns all entries at once', () => ({ body: ENTRIES }), 1],
  [
    'that returns all entries at once, exactly as many as a usual page',
    () => ({ body: cut(0, 50) }),
    5,
    { entries: cut(0, 50) },
  ],
  [
    'that returns all entries at once and rejects unknown parameters',
    ({ query }) => (query.size > 0 ? { status: 400, body: { error: 'unknown parameter' } } : { body: cut(0, 50) }),
    5,
    { entries: cut(0, 50) },
  ],
  [
    'that responds 404 after its last page',
    (asked) =>
      pageOf(asked.query) > 3 ? { status: 404, body: { detail: 'Invalid page.' } } : paged((page) => ({ page }))(asked),
    4,
  ],
]);

export const BROKEN_ODDITIES = toOddities([
  stop('that ignores the cursor', () => ({ body: { data: cut(0), next_cursor: 'same' } }), 7, { reason: SAME }),
  stop(
    'that ignores the page number',
    ({ index }) => ({ body: { data: [{ id: 'a', at: index }], page: 1, total_pages: 9 } }),
    7,
    { reason: SAME, read: 1 },
  ),
  stop('with a total, that supports none of the usual parameters', () => ({ body: { data: cut(0), total: 57 } }), 7, {
    reason: SAME,
  }),
  stop(
    'that returns a new cursor for the same page',
    ({ index }) => ({ body: { data: [{ id: 'a', views: index }], next_cursor: `c${index}` } }),
    7,
    { reason: SAME, read: 1 },
  ),
  stop(
    'whose pages form a loop',
    ({ index }) => ({ body: { data: cut((index % 3) * 20), next_cursor: `c${index}` } }),
    4,
    { reason: SAME, read: 57 },
  ),
  stop('that returns empty pages forever', ({ index }) => ({ body: { data: [], next_cursor: `c${index}` } }), 501, {
    reason: /500 pages in a row contained no new entries/,
    read: 0,
  }),
  stop(
    'that announces more entries, but returns an empty page with the same cursor',
    ({ index }) => ({ body: { data: index === 0 ? cut(0) : [], has_more: true, next_cursor: 'same' } }),
    2,
    { reason: /the same cursor again/ },
  ),
  stop(
    'whose total is higher than the number of entries',
    ({ query }) => ({ body: { data: cut(at(query, 'offset')), offset: at(query, 'offset'), total: 60 } }),
    4,
    { reason: /reports 60 entries but returned 57/, read: 57 },
  ),
  stop(
    'that ends before its total',
    ({ query }) => ({
      body: { data: cut(at(query, 'cursor')), next_cursor: cursorTo(at(query, 'cursor') + 20, 40), total: 57 },
    }),
    2,
    { reason: /reports 57 entries but returned 40/, read: 40 },
  ),
  stop(
    'that announces more entries after an empty list',
    () => ({ body: { data: [], offset: 0, has_more: true } }),
    1,
    { reason: /more entries follow after an empty page/, read: 0 },
  ),
  stop(
    'whose next URL is that of another list',
    () => ({ body: { data: cut(0), next: '/api/v1/contacts?page=2' } }),
    1,
    { reason: /points to something other than this list/ },
  ),
  stop(
    'whose next URL is that of the list itself',
    () => ({ body: { data: cut(0), links: { next: 'https://docshare.test/api/v1/documents' } } }),
    1,
    { reason: /that of the first page/ },
  ),
]);
