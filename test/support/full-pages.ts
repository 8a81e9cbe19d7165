/**
 * Services whose first page claims to be full but names no next page that they accept, and what a client reads of them.
 */
import { at, ENTRIES, toOddities } from './paging-oddities.ts';

const cut = (from: number, size = 12) => ENTRIES.slice(from, from + size);
const page = (query: URLSearchParams) => at(query, 'page', 1) - 1;
const THOUSAND = Array.from({ length: 1057 }, (_, at) => ({ id: `d${at}` }));

export const FULL_PAGES = toOddities([
  [
    'that returns only its page size, by number',
    ({ query }) => ({ body: { per_page: 12, data: cut(page(query) * 12) } }),
    7,
  ],
  [
    'that returns only its page size, by offset',
    ({ query }) => ({ body: { limit: 19, data: cut(at(query, 'offset'), 19) } }),
    6,
  ],
  [
    'that returns its page size, and all entries at once',
    () => ({ body: { meta: { page_size: 12 }, data: cut(0) } }),
    5,
    { entries: cut(0) },
  ],
  [
    'that returns its page size, and fewer entries than that',
    () => ({ body: { per_page: 12, data: cut(0, 11) } }),
    1,
    { entries: cut(0, 11) },
  ],
  [
    'whose position `start` is always 0, and which supports `offset`',
    ({ query }) => ({ body: { start: 0, per_page: 19, data: cut(at(query, 'offset'), 19) } }),
    7,
  ],
  [
    'that counts its pages from 0 while the request starts at 1',
    ({ query }) => ({ body: { page: page(query), total_pages: 3, data: cut(page(query) * 20, 20) } }),
    6,
  ],
  [
    'that responds 206 with `Content-Range: documents 0-11/*`',
    ({ query }) => {
      const offset = at(query, 'offset');
      const range = `documents ${offset}-${Math.min(offset + 11, 56)}/*`;
      return { status: 206, headers: { 'content-range': range }, body: cut(offset) };
    },
    6,
  ],
  [
    'that responds 206 without pagination fields',
    ({ query }) => ({ status: query.has('page') ? 200 : 206, body: cut(page(query) * 12) }),
    7,
  ],
  [
    'that counts its range from 1: `Content-Range: documents 1-12/57`',
    ({ query }) => {
      const offset = at(query, 'offset');
      return { headers: { 'content-range': `documents ${offset + 1}-${offset + 12}/57` }, body: cut(offset) };
    },
    7,
  ],
  [
    'with `recordsTotal` and `recordsFiltered`',
    ({ query }) => ({ body: { recordsTotal: 900, recordsFiltered: 57, data: cut(page(query) * 12) } }),
    6,
  ],
  [
    'that writes its total as `1,057`',
    ({ query }) => ({ body: { total: '1,057', data: THOUSAND.slice(page(query) * 99, page(query) * 99 + 99) } }),
    12,
    { entries: THOUSAND },
  ],
  [
    'whose `has_more` is Y or N',
    ({ query }) => ({
      body: { has_more: page(query) < 4 ? 'Y' : 'N', page: page(query) + 1, data: cut(page(query) * 12) },
    }),
    5,
  ],
]);
