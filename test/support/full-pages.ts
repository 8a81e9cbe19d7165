/**
 * Services whose first page claims to be full but names no next page that they accept, and what a client reads of them.
 */
import { ENTRIES, type Oddity } from './paging-oddities.ts';

const cut = (from: number, size = 12) => ENTRIES.slice(from, from + size);
const page = (query: URLSearchParams, name = 'page') => Number(query.get(name) ?? 1) - 1;
const from = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);
const THOUSAND = Array.from({ length: 1057 }, (_, at) => ({ id: `d${at}` }));

export const FULL_PAGES: Readonly<Record<string, Oddity>> = {
  'own-size-by-page': {
    words: 'that returns only its page size, by number',
    answer: ({ query }) => ({ body: { per_page: 12, data: cut(page(query) * 12) } }),
    requests: 7,
  },
  'own-size-by-offset': {
    words: 'that returns only its page size, by offset',
    answer: ({ query }) => ({ body: { limit: 19, data: cut(from(query, 'offset'), 19) } }),
    requests: 6,
  },
  'own-size-all-at-once': {
    words: 'that returns its page size, and all entries at once',
    answer: () => ({ body: { meta: { page_size: 12 }, data: cut(0) } }),
    entries: cut(0),
    requests: 5,
  },
  'own-size-of-more': {
    words: 'that returns its page size, and fewer entries than that',
    answer: () => ({ body: { per_page: 12, data: cut(0, 11) } }),
    entries: cut(0, 11),
    requests: 1,
  },
  'start-taken-as-skip': {
    words: 'that calls its position `start` and supports `skip`',
    answer: ({ query }) => {
      const start = from(query, 'skip');
      return { body: { start, per_page: 19, data: cut(start, 19) } };
    },
    requests: 7,
  },
  'start-that-stands-still': {
    words: 'whose position `start` is always 0, and which supports `offset`',
    answer: ({ query }) => ({ body: { start: 0, per_page: 19, data: cut(from(query, 'offset'), 19) } }),
    requests: 7,
  },
  'start-with-total': {
    words: 'that returns the position `start` and a total, and supports `page`',
    answer: ({ query }) => ({ body: { start: 0, total: 57, data: cut(page(query) * 19, 19) } }),
    requests: 5,
  },
  'start-with-pages': {
    words: 'that returns the position `start` and the number of pages, and supports `page`',
    answer: ({ query }) => ({ body: { start: 0, total_pages: 29, per_page: 2, data: cut(page(query) * 2, 2) } }),
    requests: 31,
  },
  'index-from-0-asked-from-1': {
    words: 'that counts its pages from 0 while the request starts at 1',
    answer: ({ query }) => ({ body: { page: page(query), total_pages: 3, data: cut(page(query) * 20, 20) } }),
    requests: 6,
  },
  'start-all-at-once': {
    words: 'that returns its position and page size, and all entries at once',
    answer: () => ({ body: { start: 0, per_page: 12, data: cut(0) } }),
    entries: cut(0),
    requests: 5,
  },
  'short-start': {
    words: 'that returns its position, and less than one page of entries',
    answer: () => ({ body: { start: 0, per_page: 12, data: cut(0, 11) } }),
    entries: cut(0, 11),
    requests: 2,
  },
  'part-of-unknown': {
    words: 'that responds 206 with `Content-Range: documents 0-11/*`',
    answer: ({ query }) => {
      const at = from(query, 'offset');
      const range = `documents ${at}-${Math.min(at + 11, 56)}/*`;
      return { status: 206, headers: { 'content-range': range }, body: cut(at) };
    },
    requests: 6,
  },
  'part-of-nothing-said': {
    words: 'that responds 206 without pagination fields',
    answer: ({ query }) => ({ status: query.has('page') ? 200 : 206, body: cut(page(query) * 12) }),
    requests: 7,
  },
  'range-from-1': {
    words: 'that counts its range from 1: `Content-Range: documents 1-12/57`',
    answer: ({ query }) => {
      const at = from(query, 'offset');
      return { headers: { 'content-range': `documents ${at + 1}-${at + 12}/57` }, body: cut(at) };
    },
    requests: 7,
  },
  'records-total': {
    words: 'with `recordsTotal` and `recordsFiltered`',
    answer: ({ query }) => ({ body: { recordsTotal: 900, recordsFiltered: 57, data: cut(page(query) * 12) } }),
    requests: 6,
  },
  'total-for-people': {
    words: 'that writes its total as `1,057`',
    answer: ({ query }) => ({
      body: { total: '1,057', data: THOUSAND.slice(page(query) * 99, page(query) * 99 + 99) },
    }),
    entries: THOUSAND,
    requests: 12,
  },
  'more-in-a-letter': {
    words: 'whose `has_more` is Y or N',
    answer: ({ query }) => ({
      body: { has_more: page(query) < 4 ? 'Y' : 'N', page: page(query) + 1, data: cut(page(query) * 12) },
    }),
    requests: 5,
  },
};
