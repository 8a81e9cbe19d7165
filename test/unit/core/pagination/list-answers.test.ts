import { expect, test } from 'vitest';
import { findItems } from '../../../../src/pagination/find-items.ts';
import { parsePage } from '../../../../src/pagination/page.ts';

const SEVEN = Array.from({ length: 7 }, (_, at) => ({ id: `d${at}` }));
const request = {
  listUrl: new URL('https://docshare.test/api/v1/documents'),
  query: new URLSearchParams(),
  basePath: '/api/v1',
  pathParams: {},
};
const read = (raw: unknown) => parsePage(raw, { resource: 'documents', headers: {}, request });

test.each([
  { data: {}, message: 'not allowed' },
  { data: {}, link: { id: 'l1' } },
  { items: false },
  { items: {} },
  { count: 0, total: 57 },
  { data: { 2024: 5, 2025: 7 } },
  { next: { id: 'd2', title: 'The next one' } },
])('%j is not an empty list but another kind of response', (raw) => {
  expect(findItems(raw, 'documents')).toBeUndefined();
});

test.each([{ data: '' }, { items: false }, { items: {} }, {}])('%j is the end of a list', (raw) => {
  expect(findItems(raw, 'documents', true)).toMatchObject({ items: [] });
});

test.each([[[{ id: 'a' }, null]], [[['a'], ['b']]], [[{}]], [[null]]])('items of %j count on a first page', (raw) => {
  expect(read(raw)?.page.items).toHaveLength(raw.length);
});

test.each([
  { count: 7, remaining: 53, reset: 12 },
  { remaining: 53 },
  { remaining_items: 0 },
  { count: 7, remaining: 0 },
  { search_after: [{ at: 1 }] },
  { next_cursor: -1 },
])('%j does not name a next page', (beside) => {
  const { page, signs } = read({ documents: SEVEN, ...beside }) ?? {};
  expect([page?.nextQuery, page?.cursor, signs?.more]).toEqual([undefined, undefined, undefined]);
});

test.each([
  [{ count: 7, remaining: 53 }, { signs: { more: true } }],
  [{ remaining_items: 53 }, { signs: { more: true } }],
  [{ documents_links: [{ rel: 'next', href: '/api/v1/documents?page=2' }] }, { page: { nextQuery: { page: '2' } } }],
  [{ search_after: ['a', 1] }, { page: { nextQuery: { search_after: 'a,1' } } }],
  // A cursor is sent unchanged, with its spaces.
  [{ next_cursor: ' a' }, { page: { nextQuery: { cursor: ' a' } } }],
])('%j names the next page', (beside, said) => {
  expect(read({ documents: SEVEN, ...beside })).toMatchObject(said);
});

test('a cursor in a header keeps its digits, even if a number would round them', () => {
  const headers = { 'x-pagination': '{"next_cursor":9007199254740993}' };
  expect(parsePage(SEVEN, { resource: 'documents', headers, request })?.page.nextQuery).toEqual({
    cursor: '9007199254740993',
  });
});

test.each(['gte', 'gt', 'at_least', 'estimate'])('a total with the relation "%s" is not used', (total_relation) => {
  const totals = [total_relation, 'eq'].map(
    (relation) => read({ documents: SEVEN, total: 7, total_relation: relation })?.page.total,
  );
  expect(totals).toEqual([undefined, 7]);
});

test('a number in `next` is an offset only if it is the number of received items', () => {
  const offsets = [2, 7].map((next) =>
    read({ documents: SEVEN, next })?.page.cursor?.steps.flatMap(({ query }) => ('offset' in query ? [query] : [])),
  );
  expect(offsets).toEqual([[], [{ offset: '7' }]]);
});

test('an unrequested number is a position only on the first page, because it may also be a date', () => {
  const documents = Array.from({ length: 20 }, (_, at) => ({ id: `d${at}` }));
  const firsts = [{ start: 0 }, { start: 20 }].map(
    (beside) => read({ documents, ...beside })?.page.cursor?.steps[0]?.query,
  );
  expect(firsts).toEqual([{ start: '20' }, { page: '1' }]);
});
