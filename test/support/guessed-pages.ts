/** Services that return everything at once, or end in ways that a guessed request must not break: 12 or 57 entries. */
import { at, cut, ENTRIES, type Oddity, pageOf, pageOfEntries, row, SAME, toOddities } from './paging-oddities.ts';

const WHOLE = ENTRIES.slice(0, 12);
const SHEETS = Array.from({ length: 12 }, (_, at) => ({ page: at + 1, width: 100 }));

/** The number of the requested page, from 1; 0 is also the first. */
const pageFrom1 = (query: URLSearchParams) => at(query, 'page') || 1;
const rows = (from: number, count = 20) =>
  Array.from({ length: 57 }, (_, at) => ({ row: (at % 20) + 1, email: `u${at}@example.com` })).slice(
    from,
    from + count,
  );
const DAYS = Array.from({ length: 57 }, (_, at) => ({ day: `2024-01-${10 + (at % 18)}`, views: 1 }));

/** Returns another order for each request. */
const turned = <Entry>(entries: readonly Entry[], index: number) =>
  entries.map((_, at) => entries[(at * 5 + index) % entries.length]);

const refusing = (status: number, body: object, more: Partial<Oddity> = { entries: WHOLE }) =>
  row(
    `that returns a full page and responds ${status} to an unknown parameter`,
    { requests: 5, ...more },
    ({ query }) => (query.size > 0 ? { status, body } : { body: { per_page: 12, data: WHOLE } }),
  );

const failing = (body: object) =>
  row(`that says ${JSON.stringify(body)} after its last page`, { requests: 5 }, ({ query }) => ({
    body: pageOfEntries(query).length > 0 ? { data: pageOfEntries(query) } : body,
  }));

/** May be an outage or a missing permission: nobody knows if more follows. */
export const DOUBTFUL_PAGES = toOddities([
  row(
    'whose cursor parameter `after` also takes a date, with the filter `after=2024-01-01`',
    { requests: 6, input: { after: '2024-01-01' }, stops: { read: 20, reason: SAME } },
    ({ query }) => {
      const from = Number(query.get('after')?.slice(-2)) - 1;
      return { body: { next_cursor: from < 20 ? `2024-01-${from + 21}` : null, data: cut(from) } };
    },
  ),
  ...[403, 500].map((status) =>
    refusing(
      status,
      { error: 'database down' },
      { stops: { read: 12, reason: new RegExp(`the service responded with status ${status}`) } },
    ),
  ),
]);
const FAILURES = [
  { success: false, error: 'no such page', data: [] },
  { code: 404, message: 'no more', data: [] },
  { status: 'error', message: 'Page not found' },
];

/** By page number or offset, with any pagination fields. An overwritten filter finds nothing. */
const filtered = (
  filter: string,
  words: string,
  { by = 'page', requests = 4, beside }: { by?: string; requests?: number; beside: (from: number) => object },
) => {
  const [name = '', value] = filter.split('=');
  return row(
    `${words}, requested with the filter \`${filter}\``,
    { requests, input: { [name]: value } },
    ({ query }) => {
      const from = by === 'page' ? (pageOf(query) - 1) * 20 : at(query, by);
      return { body: { ...beside(from), data: query.get(name) === value ? cut(from) : [] } };
    },
  );
};

const FILTERED = [
  ...['after=2024-01-01', 'start=1700000000'].map((filter) =>
    filtered(filter, 'that returns a total', { beside: () => ({ total: 57 }) }),
  ),
  filtered('after=2024-01-01', 'that says whether more entries follow', {
    beside: (from) => ({ has_more: from < 40 }),
    requests: 5,
  }),
];

export const GUESSED_PAGES = toOddities([
  ...[405, 501].map((status) => refusing(status, { error: 'unknown parameter' })),
  ...FAILURES.map(failing),
  ...FILTERED,
  refusing(200, { ok: false, data: [] }),
  row(
    'that announces more entries, and reports a failure with 2xx for all parameters but one',
    { requests: 5 },
    ({ query }) => {
      if (query.size > 0 && !query.has('page')) return { body: { ok: false, error: 'unknown parameter' } };
      const page = pageFrom1(query);
      return { body: { has_more: page < 3, data: cut(page * 20 - 20, 20) } };
    },
  ),
  row(
    'that returns all entries at once, without IDs and in a different order each time',
    { requests: 4, entries: SHEETS.map((_, at) => SHEETS[(at * 5) % 12]) },
    ({ index }) => ({ body: { per_page: 12, data: turned(SHEETS, index) } }),
  ),
  row(
    'that returns all entries at once, without IDs and with newly signed URLs each time',
    { requests: 4, entries: SHEETS.map(({ page }) => ({ page, thumbnail: `sig=0.${page}` })) },
    ({ index }) => ({
      body: { limit: 12, pages: SHEETS.map(({ page }) => ({ page, thumbnail: `sig=${index}.${page}` })) },
    }),
  ),
  row(
    'that numbers the rows from 1 on each page, without IDs or pagination fields',
    { requests: 5, entries: rows(0, 57) },
    ({ query }) => ({ body: { data: rows(pageFrom1(query) * 20 - 20) } }),
  ),
  row('with equal entries without IDs on several pages', { requests: 5, entries: DAYS }, ({ query }) => ({
    body: { data: DAYS.slice(pageFrom1(query) * 20 - 20, pageFrom1(query) * 20) },
  })),
  row('that treats `page` as a filter, on entries without IDs', { requests: 4, entries: SHEETS }, ({ query }) => {
    const page = at(query, 'page');
    return { body: { limit: 12, pages: SHEETS.filter((sheet) => page === 0 || sheet.page === page) } };
  }),
  row('that treats `page` as a filter, on entries with IDs', { requests: 5, entries: WHOLE }, ({ query }) => {
    const page = at(query, 'page');
    return { body: { limit: 12, pages: page === 0 ? WHOLE : WHOLE.slice(page - 1, page) } };
  }),
  row('that finds nothing by `page`, and supports `offset`', { requests: 7 }, ({ query }) => ({
    body: { per_page: 12, data: query.has('page') ? [] : cut(at(query, 'offset'), 12) },
  })),
]);
