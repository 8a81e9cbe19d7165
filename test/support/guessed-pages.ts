/** Services that return everything at once, or end in ways that a guessed request must not break: 12 or 57 entries. */
import { ENTRIES, type Oddity } from './paging-oddities.ts';

const WHOLE = ENTRIES.slice(0, 12);
const SHEETS = Array.from({ length: 12 }, (_, at) => ({ page: at + 1, width: 100 }));
const cut = (from: number, size = 12) => ENTRIES.slice(from, from + size);
const number = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);

const rows = (from: number, count = 20) =>
  Array.from({ length: 57 }, (_, at) => ({ row: (at % 20) + 1, email: `u${at}@example.com` })).slice(
    from,
    from + count,
  );
const DAYS = Array.from({ length: 57 }, (_, at) => ({ day: `2024-01-${10 + (at % 18)}`, views: 1 }));

/** Returns another order for each request. */
const turned = <Entry>(entries: readonly Entry[], index: number) =>
  entries.map((_, at) => entries[(at * 5 + index) % entries.length]);

const refusing = (status: number, body: object): Oddity => ({
  words: `that returns a full page and responds ${status} to an unknown parameter`,
  answer: ({ query }) => (query.size > 0 ? { status, body } : { body: { per_page: 12, data: ENTRIES.slice(0, 12) } }),
  entries: WHOLE,
  requests: 5,
});

const failing = (body: object): Oddity => ({
  words: `that says ${JSON.stringify(body)} after its last page`,
  answer: ({ query }) => {
    const data = cut((number(query, 'page') || 1) * 20 - 20, 20);
    return { body: data.length > 0 ? { data } : body };
  },
  requests: 5,
});

const REFUSALS = [405, 409, 414, 501].map(
  (status) => [`full-page-and-${status}`, refusing(status, { error: 'unknown parameter' })] as const,
);
const CURSOR_AS_FILTER: Oddity = {
  words: 'whose cursor parameter `after` also takes a date, with the filter `after=2024-01-01`',
  answer: ({ query }) => {
    const from = Number(query.get('after')?.slice(-2)) - 1;
    return { body: { next_cursor: from < 20 ? `2024-01-${from + 21}` : null, data: cut(from, 20) } };
  },
  input: { after: '2024-01-01' },
  // The client does not overwrite the caller's filter.
  stops: { read: 20, reason: /the same page again/ },
  requests: 6,
};
/** May be an outage or a missing permission: nobody knows if more follows. */
export const DOUBTFUL_PAGES: Readonly<Record<string, Oddity>> = {
  'after-as-cursor': CURSOR_AS_FILTER,
  ...Object.fromEntries(
    [403, 500, 503].map((status) => [
      `full-page-and-${status}`,
      {
        ...refusing(status, { error: 'database down' }),
        requests: 5,
        stops: { read: 12, reason: new RegExp(`the service responded with status ${status}`) },
      },
    ]),
  ),
};
const FAILURES = [
  { success: false, error: 'no such page', data: [] },
  { code: 404, message: 'no more', data: [] },
  { status: 'error', message: 'Page not found' },
].map((body, at) => [`failure-for-an-end-${at}`, failing(body)] as const);

/** By page number, with any pagination fields. An overwritten filter finds nothing. */
const filtered = (
  [name, value]: readonly [string, string],
  { words, by = 'page', beside }: { words: string; by?: string; beside: (from: number) => object },
): Oddity => ({
  words: `${words}, requested with the filter \`${name}=${value}\``,
  answer: ({ query }) => {
    const at = number(query, by);
    const from = by === 'page' ? ((at || 1) - 1) * 20 : at;
    return { body: { ...beside(from), data: query.get(name) === value ? cut(from, 20) : [] } };
  },
  input: { [name]: value },
  requests: 4,
});
const AFTER = ['after', '2024-01-01'] as const;
const FROM = ['from', '2024-01-01'] as const;
const cursorOf = (from: number) => ({ next_cursor: from < 40 ? `${from + 20}` : null });

const FILTERED: Readonly<Record<string, Oddity>> = {
  'after-and-total': filtered(AFTER, { words: 'that returns a total', beside: () => ({ total: 57 }) }),
  'from-and-total': filtered(FROM, { words: 'that returns a total', beside: () => ({ total: 57 }) }),
  'start-and-total': filtered(['start', '1700000000'], {
    words: 'that returns a total',
    beside: () => ({ total: 57 }),
  }),
  'after-and-more': {
    ...filtered(AFTER, { words: 'that says whether more entries follow', beside: (from) => ({ has_more: from < 40 }) }),
    requests: 5,
  },
  'after-and-cursor': {
    ...filtered(AFTER, { words: 'that returns a cursor', by: 'cursor', beside: cursorOf }),
    requests: 3,
  },
  'from-and-offset': {
    ...filtered(FROM, {
      words: 'that returns its offset and a total',
      by: 'offset',
      beside: (offset) => ({ offset, total: 57 }),
    }),
    requests: 3,
  },
};

export const GUESSED_PAGES: Readonly<Record<string, Oddity>> = {
  ...Object.fromEntries([...REFUSALS, ...FAILURES]),
  ...FILTERED,
  'full-page-and-a-failure': refusing(200, { ok: false, data: [] }),
  'failure-behind-a-named-page': {
    words: 'that returns page numbers, and reports a failure after the last page',
    answer: ({ query }) => {
      const page = number(query, 'page') || 1;
      const data = cut(page * 19 - 19, 19);
      return { body: data.length > 0 ? { page, per_page: 19, data } : { success: false, data: [] } };
    },
    requests: 4,
  },
  'failure-for-one-of-many': {
    words: 'that announces more entries, and reports a failure with 2xx for all parameters but one',
    answer: ({ query }) => {
      if (query.size > 0 && !query.has('page')) return { body: { ok: false, error: 'unknown parameter' } };
      const page = number(query, 'page') || 1;
      return { body: { has_more: page < 3, data: cut(page * 20 - 20, 20) } };
    },
    requests: 5,
  },
  'any-order': {
    words: 'that returns all entries at once, in a different order each time',
    answer: ({ index }) => ({ body: { per_page: 12, data: turned(WHOLE, index) } }),
    entries: WHOLE.map((_, at) => WHOLE[(at * 5) % 12]),
    requests: 5,
  },
  'any-order-without-ids': {
    words: 'that returns all entries at once, without IDs and in a different order each time',
    answer: ({ index }) => ({ body: { per_page: 12, data: turned(SHEETS, index) } }),
    entries: SHEETS.map((_, at) => SHEETS[(at * 5) % 12]),
    requests: 4,
  },
  'fresh-signatures': {
    words: 'that returns all entries at once, without IDs and with newly signed URLs each time',
    answer: ({ index }) => ({
      body: { limit: 12, pages: SHEETS.map(({ page }) => ({ page, thumbnail: `sig=${index}.${page}` })) },
    }),
    entries: SHEETS.map(({ page }) => ({ page, thumbnail: `sig=0.${page}` })),
    requests: 4,
  },
  'row-numbers': {
    words: 'that numbers the rows from 1 on each page, without IDs or pagination fields',
    answer: ({ query }) => ({ body: { data: rows((number(query, 'page') || 1) * 20 - 20) } }),
    entries: rows(0, 57),
    requests: 5,
  },
  'equal-entries': {
    words: 'with equal entries without IDs on several pages',
    answer: ({ query }) => ({
      body: { data: DAYS.slice((number(query, 'page') || 1) * 20 - 20, (number(query, 'page') || 1) * 20) },
    }),
    entries: DAYS,
    requests: 5,
  },
  'page-as-a-filter': {
    words: 'that treats `page` as a filter, on entries without IDs',
    answer: ({ query }) => {
      const page = number(query, 'page');
      return { body: { limit: 12, pages: SHEETS.filter((sheet) => page === 0 || sheet.page === page) } };
    },
    entries: SHEETS,
    requests: 4,
  },
  'page-as-a-filter-of-ids': {
    words: 'that treats `page` as a filter, on entries with IDs',
    answer: ({ query }) => {
      const page = number(query, 'page');
      return { body: { limit: 12, pages: page === 0 ? WHOLE : WHOLE.slice(page - 1, page) } };
    },
    entries: WHOLE,
    requests: 5,
  },
  'page-that-finds-nothing': {
    words: 'that finds nothing by `page`, and supports `offset`',
    answer: ({ query }) => ({ body: { per_page: 12, data: query.has('page') ? [] : cut(number(query, 'offset')) } }),
    requests: 7,
  },
};
