/** Services with odd or broken lists of 57 entries: what a client reads of them, and with how many requests. */

export interface Asked {
  readonly query: URLSearchParams;
  readonly path: string;
  /** Index of the request, from 0. */
  readonly index: number;
}

export interface Oddity {
  /** Completes the title of the test: `a service …`. */
  readonly words: string;
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

/** A service in one row; its words are its name. */
export type Row = readonly [words: string, answer: Oddity['answer'], requests: number, more?: Partial<Oddity>];
export const toOddities = (rows: readonly Row[]): Readonly<Record<string, Oddity>> =>
  Object.fromEntries(rows.map(([words, answer, requests, more]) => [words, { words, answer, requests, ...more }]));
/** A service whose list stops after `read` entries. */
export const stop = (
  words: string,
  answer: Oddity['answer'],
  requests: number,
  { reason, read = 20 }: { reason: RegExp; read?: number },
): Row => [words, answer, requests, { stops: { read, reason } }];
/** By page number, with `beside` next to the entries. */
export const paged =
  (beside: (page: number) => object, entries?: readonly unknown[]): Oddity['answer'] =>
  ({ query }) => ({ body: { data: pageOfEntries(query, entries), ...beside(pageOf(query)) } });
const cursorTo = (next: number, end = 57) => (next < end ? `c${next}` : null);
export const SAME = /the same page again/;

export const SOUND_ODDITIES: Readonly<Record<string, Oddity>> = {
  'short-pages': {
    words: 'whose middle pages are shorter than the others',
    answer: ({ query }) => {
      const from = at(query, 'cursor');
      const size = from === 17 ? 3 : 17;
      return { body: { data: cut(from, size), next_cursor: cursorTo(from + size) } };
    },
    requests: 5,
  },
  'short-numbered-pages': {
    words: 'whose middle pages, by number, are shorter than the others, with nothing that marks the end',
    answer: ({ query }) => {
      const page = pageOf(query);
      const borders = [0, 20, 22, 42, 57, 57];
      return { body: { data: ENTRIES.slice(borders[page - 1], borders[page]), page, per_page: 20 } };
    },
    requests: 5,
  },
  'empty-pages': {
    words: 'that returns 200 empty pages before one with entries',
    answer: ({ query }) => {
      const from = at(query, 'cursor');
      return { body: { data: from < 200 ? [] : ENTRIES, next_cursor: cursorTo(from + 1, 201) } };
    },
    requests: 201,
  },
  'capped-pages': {
    words: 'that returns fewer entries than requested, but claims the requested number',
    answer: ({ query }) => ({
      body: { data: cut(at(query, 'offset')), offset: at(query, 'offset'), limit: 50, total: 57 },
    }),
    input: { limit: 50 },
    requests: 3,
  },
  'equal-entries': {
    words: 'whose pages consist of equal entries without IDs, by cursor',
    answer: ({ query }) => {
      const from = at(query, 'cursor');
      return { body: { data: EQUAL.slice(from, from + 19), next_cursor: cursorTo(from + 19) } };
    },
    entries: EQUAL,
    requests: 3,
  },
  'equal-numbered-entries': {
    words: 'whose pages consist of equal entries without IDs, by number',
    answer: paged((page) => ({ page, total: 57 }), EQUAL),
    entries: EQUAL,
    requests: 3,
  },
  'overlapping-pages': {
    words: 'whose pages begin with the last entry of the previous page',
    answer: ({ query }) => {
      const from = Math.max(0, at(query, 'cursor') - 1);
      return { body: { data: cut(from), next_cursor: cursorTo(from + 20) } };
    },
    requests: 3,
  },
  'new-entry-while-reading': {
    words: 'whose list gets a new first entry while it is read',
    answer: ({ query, index }) => {
      const now = index === 0 ? ENTRIES : [{ id: 'new' }, ...ENTRIES];
      const offset = at(query, 'offset');
      return { body: { data: now.slice(offset, offset + 20), offset, limit: 20, total: now.length } };
    },
    requests: 3,
  },
  'one-cursor': {
    words: 'with one cursor for all pages, whose position the service remembers',
    answer: ({ index }) => ({ body: { hits: cut(index * 20), scroll_id: 'one' } }),
    requests: 4,
  },
  'small-total': {
    words: 'whose total is lower than the number of entries',
    answer: ({ query }) => ({ body: { data: cut(at(query, 'offset')), offset: at(query, 'offset'), total: 7 } }),
    requests: 4,
  },
  'next-elsewhere': {
    words: 'whose next URL is on another origin (only its query is used)',
    answer: ({ query, path }) => {
      const next = at(query, 'from') + 20;
      const link = `<http://internal:8080${path}?from=c${next}>; rel="next"`;
      return { body: cut(at(query, 'from')), headers: next < 57 ? { link } : {} };
    },
    requests: 3,
  },
  'next-behind-gateway': {
    words: 'whose next URL lacks the path prefix of a gateway',
    answer: ({ query }) => {
      const next = at(query, 'from') + 20;
      return { body: { items: cut(at(query, 'from')), links: { next: next < 57 ? `/documents?from=c${next}` : '' } } };
    },
    requests: 3,
  },
  'address-as-cursor': {
    words: 'whose cursor is a complete URL',
    answer: ({ query, path }) => {
      const next = at(query, 'from') + 20;
      const next_cursor = next < 57 ? `https://docshare.test${path}?from=c${next}` : null;
      return { body: { data: cut(next - 20), next_cursor } };
    },
    requests: 3,
  },
  'zero-cursor': {
    words: 'that marks the end with a cursor of 0',
    answer: ({ query }) => {
      const next = at(query, 'cursor') + 20;
      return { body: { data: cut(next - 20), next_cursor: next < 57 ? next : 0 } };
    },
    requests: 3,
  },
  'silent-pages': {
    words: 'without pagination fields, by number, whose pages have the requested size',
    answer: ({ query }) => ({ body: pageOfEntries(query) }),
    input: { limit: 20 },
    requests: 5,
  },
  'silent-pages-from-0': {
    words: 'without pagination fields, by number from 0',
    answer: ({ query }) => ({ body: cut(at(query, 'page') * 20) }),
    requests: 4,
  },
  'silent-offset': {
    words: 'without pagination fields, by offset',
    answer: ({ query }) => ({ body: NAMELESS.slice(at(query, 'skip'), at(query, 'skip') + 20) }),
    entries: NAMELESS,
    requests: 6,
  },
  'all-at-once': { words: 'that returns all entries at once', answer: () => ({ body: ENTRIES }), requests: 1 },
  'all-at-once-of-usual-size': {
    words: 'that returns all entries at once, exactly as many as a usual page',
    answer: () => ({ body: cut(0, 50) }),
    entries: cut(0, 50),
    requests: 5,
  },
  'all-at-once-strict': {
    words: 'that returns all entries at once and rejects unknown parameters',
    answer: ({ query }) =>
      query.size > 0 ? { status: 400, body: { error: 'unknown parameter' } } : { body: cut(0, 50) },
    entries: cut(0, 50),
    requests: 5,
  },
  'beyond-the-end': {
    words: 'that responds 404 after its last page',
    answer: (asked) =>
      pageOf(asked.query) > 3 ? { status: 404, body: { detail: 'Invalid page.' } } : paged((page) => ({ page }))(asked),
    requests: 4,
  },
};

export const BROKEN_ODDITIES: Readonly<Record<string, Oddity>> = {
  'ignored-cursor': {
    words: 'that ignores the cursor',
    answer: () => ({ body: { data: cut(0), next_cursor: 'same' } }),
    stops: { read: 20, reason: SAME },
    requests: 7,
  },
  'ignored-page': {
    words: 'that ignores the page number',
    answer: ({ index }) => ({ body: { data: [{ id: 'a', at: index }], page: 1, total_pages: 9 } }),
    stops: { read: 1, reason: SAME },
    requests: 7,
  },
  'ignored-page-of-equals': {
    words: 'that ignores the page number, with equal entries without IDs',
    answer: () => ({ body: { data: EQUAL.slice(0, 20), page: 1, total: 57 } }),
    stops: { read: 20, reason: SAME },
    requests: 7,
  },
  'ignored-total': {
    words: 'with a total, that supports none of the usual parameters',
    answer: () => ({ body: { data: cut(0), total: 57 } }),
    stops: { read: 20, reason: SAME },
    requests: 7,
  },
  'ignored-of': {
    words: 'with `showing` and `of`, that supports none of the usual parameters',
    answer: () => ({ body: { items: cut(0), showing: 20, of: 57 } }),
    stops: { read: 20, reason: SAME },
    requests: 7,
  },
  'ignored-header-total': {
    words: 'with `X-Total-Count`, that supports none of the usual parameters',
    answer: () => ({ body: cut(0), headers: { 'x-total-count': '57' } }),
    stops: { read: 20, reason: SAME },
    requests: 7,
  },
  'ignored-more': {
    words: 'with `has_more`, that supports none of the usual parameters',
    answer: () => ({ body: { data: NAMELESS.slice(0, 20), has_more: true } }),
    stops: { read: 20, reason: SAME },
    requests: 7,
  },
  'new-cursors': {
    words: 'that returns a new cursor for the same page',
    answer: ({ index }) => ({ body: { data: [{ id: 'a', views: index }], next_cursor: `c${index}` } }),
    stops: { read: 1, reason: SAME },
    requests: 7,
  },
  circle: {
    words: 'whose pages form a loop',
    answer: ({ index }) => ({ body: { data: cut((index % 3) * 20), next_cursor: `c${index}` } }),
    stops: { read: 57, reason: SAME },
    requests: 4,
  },
  'endless-empty-pages': {
    words: 'that returns empty pages forever',
    answer: ({ index }) => ({ body: { data: [], next_cursor: `c${index}` } }),
    stops: { read: 0, reason: /500 pages in a row contained no new entries/ },
    requests: 501,
  },
  'endless-equal-pages': {
    words: 'that returns equal entries without IDs forever',
    answer: ({ index }) => ({ body: { data: [{ name: 'same' }], next_cursor: `c${index}` } }),
    stops: { read: 502, reason: /500 pages in a row contained no new entries/ },
    requests: 502,
  },
  'same-cursor-of-an-empty-page': {
    words: 'that announces more entries, but returns an empty page with the same cursor',
    answer: ({ index }) => ({ body: { data: index === 0 ? cut(0) : [], has_more: true, next_cursor: 'same' } }),
    stops: { read: 20, reason: /the same cursor again/ },
    requests: 2,
  },
  'large-total': {
    words: 'whose total is higher than the number of entries',
    answer: ({ query }) => ({ body: { data: cut(at(query, 'offset')), offset: at(query, 'offset'), total: 60 } }),
    stops: { read: 57, reason: /reports 60 entries but returned 57/ },
    requests: 4,
  },
  'early-end': {
    words: 'that ends before its total',
    answer: ({ query }) => ({
      body: { data: cut(at(query, 'cursor')), next_cursor: cursorTo(at(query, 'cursor') + 20, 40), total: 57 },
    }),
    stops: { read: 40, reason: /reports 57 entries but returned 40/ },
    requests: 2,
  },
  'more-behind-nothing': {
    words: 'that announces more entries after an empty list',
    answer: () => ({ body: { data: [], offset: 0, has_more: true } }),
    stops: { read: 0, reason: /more entries follow after an empty page/ },
    requests: 1,
  },
  'next-of-another-list': {
    words: 'whose next URL is that of another list',
    answer: () => ({ body: { data: cut(0), next: '/api/v1/contacts?page=2' } }),
    stops: { read: 20, reason: /points to something other than this list/ },
    requests: 1,
  },
  'next-below-an-entry': {
    words: 'whose next URL is that of one entry',
    answer: () => ({ body: { data: cut(0) }, headers: { link: '</api/v1/documents/d7?page=2>; rel="next"' } }),
    stops: { read: 20, reason: /points to something other than this list/ },
    requests: 1,
  },
  'next-without-place': {
    words: 'whose next URL is that of the list itself',
    answer: () => ({ body: { data: cut(0), links: { next: 'https://docshare.test/api/v1/documents' } } }),
    stops: { read: 20, reason: /that of the first page/ },
    requests: 1,
  },
};
