/** Services whose first page is full but names no next page that they accept, and what a client reads of them. */
import { at, ENTRIES, row, toOddities } from './paging-oddities.ts';

const cut = (from: number, size = 12) => ENTRIES.slice(from, from + size);
const page = (query: URLSearchParams) => at(query, 'page', 1) - 1;
const THOUSAND = Array.from({ length: 1057 }, (_, at) => ({ id: `d${at}` }));

export const FULL_PAGES = toOddities([
  row('that returns only its page size, by number', { requests: 7 }, ({ query }) => ({
    body: { per_page: 12, data: cut(page(query) * 12) },
  })),
  row('that returns only its page size, by offset', { requests: 6 }, ({ query }) => ({
    body: { limit: 19, data: cut(at(query, 'offset'), 19) },
  })),
  row('that returns its page size, and all entries at once', { requests: 5, entries: cut(0) }, () => ({
    body: { meta: { page_size: 12 }, data: cut(0) },
  })),
  row('that returns its page size, and fewer entries than that', { requests: 1, entries: cut(0, 11) }, () => ({
    body: { per_page: 12, data: cut(0, 11) },
  })),
  row('whose position `start` is always 0, and which supports `offset`', { requests: 7 }, ({ query }) => ({
    body: { start: 0, per_page: 19, data: cut(at(query, 'offset'), 19) },
  })),
  row('that counts its pages from 0 while the request starts at 1', { requests: 6 }, ({ query }) => ({
    body: { page: page(query), total_pages: 3, data: cut(page(query) * 20, 20) },
  })),
  row('that responds 206 with `Content-Range: documents 0-11/*`', { requests: 6 }, ({ query }) => {
    const offset = at(query, 'offset');
    const range = `documents ${offset}-${Math.min(offset + 11, 56)}/*`;
    return { status: 206, headers: { 'content-range': range }, body: cut(offset) };
  }),
  row('that responds 206 without pagination fields', { requests: 7 }, ({ query }) => ({
    status: query.has('page') ? 200 : 206,
    body: cut(page(query) * 12),
  })),
  row('that counts its range from 1: `Content-Range: documents 1-12/57`', { requests: 7 }, ({ query }) => {
    const offset = at(query, 'offset');
    return { headers: { 'content-range': `documents ${offset + 1}-${offset + 12}/57` }, body: cut(offset) };
  }),
  row('with `recordsTotal` and `recordsFiltered`', { requests: 6 }, ({ query }) => ({
    body: { recordsTotal: 900, recordsFiltered: 57, data: cut(page(query) * 12) },
  })),
  row('that writes its total as `1,057`', { requests: 12, entries: THOUSAND }, ({ query }) => ({
    body: { total: '1,057', data: THOUSAND.slice(page(query) * 99, page(query) * 99 + 99) },
  })),
  row('whose `has_more` is Y or N', { requests: 5 }, ({ query }) => ({
    body: { has_more: page(query) < 4 ? 'Y' : 'N', page: page(query) + 1, data: cut(page(query) * 12) },
  })),
]);
