/** What is a list in an answer, what says that it goes on, and what only looks so. */
import { expect, test } from 'vitest';
import { findItems } from '../../../../src/pagination/find-items.ts';
import { readPage } from '../../../../src/pagination/page.ts';

const SEVEN = Array.from({ length: 7 }, (_, at) => ({ id: `d${at}` }));
const request = {
  listUrl: new URL('https://docshare.test/api/v1/documents'),
  query: new URLSearchParams(),
  basePath: '/api/v1',
  pathParams: {},
};
const read = (raw: unknown) => readPage(raw, { resource: 'documents', headers: {}, request });

test.each([
  { data: {}, message: 'not allowed' },
  { data: {}, id: 'd1' },
  { data: {}, link: { id: 'l1' } },
  { data: '', message: 'not allowed' },
  { items: false },
  { items: {} },
  { count: 0, total: 57 },
  { data: { 2024: 5, 2025: 7 } },
  { next: { id: 'd2', title: 'The next one' } },
  { next_cursor: 'x', status: { code: 5 } },
])('%j is no list without entries, but an answer of another kind', (raw) => {
  expect(findItems(raw, 'documents')).toBeUndefined();
});

test.each([{ data: '' }, { items: false }, { items: {} }, {}])('%j is the end of a list', (raw) => {
  expect(findItems(raw, 'documents', true)).toMatchObject({ items: [] });
});

test.each([[[{ id: 'a' }, null]], [[['a'], ['b']]], [[{}]], [[null]]])(
  'all entries of %j count on a first page',
  (raw) => {
    expect(read(raw)?.page.items).toHaveLength(raw.length);
  },
);

test.each([
  { count: 7, remaining: 53, reset: 12 },
  { count: 7, remaining: 53, limit: 60 },
  { remaining: 53 },
  { remaining_items: 0 },
  { count: 7, remaining: 0 },
  { search_after: [{ at: 1 }] },
  { next_cursor: -1 },
  { next_cursor: '-1' },
])('%j says nothing of a page behind it', (beside) => {
  const { page, signs } = read({ documents: SEVEN, ...beside }) ?? {};
  expect([page?.nextQuery, page?.cursor, signs?.more]).toEqual([undefined, undefined, undefined]);
});

test.each([
  [{ count: 7, remaining: 53 }, { signs: { more: true } }],
  [{ remaining_items: 53 }, { signs: { more: true } }],
  [{ documents_links: [{ rel: 'next', href: '/api/v1/documents?page=2' }] }, { page: { nextQuery: { page: '2' } } }],
  [{ search_after: ['a', 1] }, { page: { nextQuery: { search_after: 'a,1' } } }],
  // A cursor is the service's own word, its blanks too.
  [{ next_cursor: ' a' }, { page: { nextQuery: { cursor: ' a' } } }],
])('%j leads on', (beside, said) => {
  expect(read({ documents: SEVEN, ...beside })).toMatchObject(said);
});

test('a cursor in a header is its own digits, and not those that a number would round it to', () => {
  const headers = { 'x-pagination': '{"next_cursor":9007199254740993}' };
  expect(readPage(SEVEN, { resource: 'documents', headers, request })?.page.nextQuery).toEqual({
    cursor: '9007199254740993',
  });
});

test.each(['gte', 'gt', 'at_least', 'estimate'])('a total that is "%s" is none', (total_relation) => {
  const totals = [total_relation, 'eq'].map(
    (relation) => read({ documents: SEVEN, total: 7, total_relation: relation })?.page.total,
  );
  expect(totals).toEqual([undefined, 7]);
});

test('a number that is named as the next place is an offset only where so many entries have come', () => {
  const offsets = [2, 7].map((next) =>
    read({ documents: SEVEN, next })?.page.cursor?.steps.flatMap(({ query }) => ('offset' in query ? [query] : [])),
  );
  expect(offsets).toEqual([[], [{ offset: '7' }]]);
});

test('a number that was not requested is a position only on the first page: it may also be a date', () => {
  const documents = Array.from({ length: 20 }, (_, at) => ({ id: `d${at}` }));
  const firsts = [{ start: 0 }, { start: 20 }].map(
    (beside) => read({ documents, ...beside })?.page.cursor?.steps[0]?.query,
  );
  expect(firsts).toEqual([{ start: '20' }, { page: '1' }]);
});
