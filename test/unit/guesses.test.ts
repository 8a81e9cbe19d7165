/** When a list may have been cut at its first page, and what then asks for the page behind it. */
import { expect, test } from 'vitest';
import {
  asksForPlace,
  CURSORS,
  guessesBehind,
  isOtherOffset,
  mayBeCut,
  mayBeFull,
  placesIn,
  queryOf,
  rareGuesses,
  sparing,
} from '../../src/pagination/guess.ts';
import type { NextQuery } from '../../src/pagination/next-url.ts';
import { type PagingWords, readPagingWords } from '../../src/pagination/parse.ts';

const LIST = 'https://docs.test/api/v1/links';
const asked = (query = '') => {
  const listUrl = new URL(LIST);
  return { listUrl, query: new URLSearchParams(query), basePath: '/api/v1', pathParams: {} };
};

interface Answer {
  readonly body?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}

function wordsOf({ body = {}, headers = {}, status = 200 }: Answer): PagingWords {
  return readPagingWords([body], { headers, asked: asked(), resource: 'links', status });
}

test.each<[string, Answer, number, boolean]>([
  ['a usual size', {}, 20, true],
  ['an unusual size', {}, 12, false],
  ['the size that the answer names', { body: { per_page: 12 } }, 12, true],
  ['the size in an object about paging', { body: { meta: { pageSize: '12' } } }, 12, true],
  ['less than the size', { body: { limit: 12 } }, 11, false],
  ['more than the size', { body: { limit: 12 } }, 13, false],
  ['a part', { status: 206 }, 12, true],
  ['no part', { status: 203 }, 12, false],
])('%s', (_, answer, count, full) => {
  const words = wordsOf(answer);
  expect(mayBeFull(words, count)).toBe(full);
  expect(mayBeCut({ asked: asked(), words, count })).toBe(full);
  expect(mayBeCut({ asked: asked('name=12'), words, count })).toBe(full);
});

test('a list as long as a page was asked to be may be cut, by any usual name of the size', () => {
  const words = wordsOf({});
  for (const query of ['limit=12', 'Per-Page=12', 'x=1&$top=12'])
    expect(mayBeCut({ asked: asked(query), words, count: 12 })).toBe(true);
  expect(mayBeCut({ asked: asked('limit=13'), words, count: 12 })).toBe(false);
});

test.each([
  ['', 12, [{ page: '1' }, { page: '2' }, { offset: '12', skip: '12' }, { offset: '12' }, { skip: '12' }]],
  ['', 0, [{ page: '1' }, { page: '2' }]],
  ['take=12', 0, [{ skip: '0' }, { page: '1' }, { page: '2' }]],
  [
    'take=12',
    12,
    [
      { skip: '12' },
      { page: '1' },
      { page: '2' },
      { offset: '12', skip: '12' },
      { offset: '12' },
      { skip: '12' },
    ],
  ],
  [
    '_limit=12',
    12,
    [
      { _page: '1' },
      { _page: '2' },
      { page: '1' },
      { page: '2' },
      { offset: '12', skip: '12' },
      { offset: '12' },
      { skip: '12' },
    ],
  ],
])('behind a page asked for by "%s" with %i entries', (query, count, guesses) => {
  expect(guessesBehind(new URLSearchParams(query), count)).toEqual(guesses);
});

test.each([
  ['', false],
  ['limit=5&name=x', false],
  ['page=2', true],
  ['x=1&Page-Number=2', true],
  ['skip=4', true],
  ['startingAfter=l1', true],
  ['cursor=c', true],
  ['%2F=page%2F2', true],
  ['from=2024-01-01', false],
  ['skip=many', false],
  ['start=999999999', true],
  ['start=1000000000', false],
  ['after=2024-01', false],
  ['after=2024-01-01T00:00:00Z', false],
  ['after=2024-01x', true],
  ['after=x2024-01-01', true],
  ['after=1700000000', false],
  ['after=1700000000000', false],
  ['after=17000000000', true],
  ['cursor=2024-01-01', true],
  ['cursor=2024-01-01&after=2024-01-01', true],
])('whether "%s" asks for a place: %s', (query, asks) => {
  expect(asksForPlace(new URLSearchParams(query))).toBe(asks);
});

test('what leads on is a place, whatever it looks like', () => {
  expect(asksForPlace(new URLSearchParams('after=2024-01-01'), new Set(['after']))).toBe(true);
  expect(asksForPlace(new URLSearchParams('from=2024-01-01'), new Set(['after']))).toBe(false);
  const query = new URLSearchParams('after=2024-01-01&starting_after=1700000000');
  expect(placesIn(query, CURSORS)).toEqual(['after', 'starting_after']);
});

test('a filter of the caller’s is not overwritten', () => {
  const queries = [{ after: 'l1', marker: 'l1' }, { page: '1' }, { after: 'l1' }];
  expect(sparing(queries, new Set(['after', 'from']))).toEqual([{ marker: 'l1' }, { page: '1' }]);
  expect(sparing(queries, new Set())).toBe(queries);
});

test('names that stand together are asked together', () => {
  expect(queryOf(['after', 'marker'], 7)).toEqual({ after: '7', marker: '7' });
});

test.each<[string, Answer, Partial<PagingWords>]>([
  ['a total for people', { body: { total: ' 1,057 ' } }, { total: 1057 }],
  ['a total of millions', { body: { total: '1,000,057' } }, { total: 1_000_057 }],
  ['no count with a comma elsewhere', { body: { total: '10,57' } }, { total: undefined }],
  ['no count with words', { body: { total: '57 items' } }, { total: undefined }],
  ['no count of two', { body: { total: '1,0570' } }, { total: undefined }],
  ['what is left by a filter', { body: { recordsTotal: 90, recordsFiltered: 57 } }, { total: 57 }],
  ['all records', { body: { recordsTotal: 57 } }, { total: 57 }],
  ['Y', { body: { has_more: 'Y' } }, { more: true, moreField: 'has_more' }],
  ['No', { body: { hasMore: ' No ' } }, { more: false, moreField: 'hasMore' }],
  ['a word for neither', { body: { has_more: 'perhaps' } }, { more: undefined }],
  ['null', { body: { has_more: null } }, { more: undefined }],
  ['1 as a text', { body: { has_more: '1' } }, { more: true }],
  ['0 as a text', { body: { has_more: '0' } }, { more: false }],
  ['a negative number', { body: { has_more: -1 } }, { more: false }],
  ['the number of the last page', { body: { last: '3', page: 1 } }, { more: undefined, lastPage: 3 }],
  ['the last page by a letter', { body: { is_last: 'n' } }, { more: true }],
  [
    'a first range of a total that is unknown',
    { headers: { 'content-range': 'links 0-11/*' } },
    { offset: { at: 0, params: ['offset', 'skip'] }, total: undefined },
  ],
  ['a first range without a unit', { headers: { 'content-range': '0-11/57' } }, { total: 57 }],
  ['a range from 1', { headers: { 'content-range': 'links 1-12/57' } }, { offset: undefined, total: 57 }],
  ['a range from 10', { headers: { 'content-range': 'links 10-12/*' } }, { offset: undefined }],
  [
    'a range of bytes',
    { headers: { 'content-range': 'bytes 0-11/1235' } },
    { offset: undefined, total: undefined },
  ],
  ['no range', { headers: { 'content-range': 'links */57' } }, { offset: undefined, total: 57 }],
  ['a part', { status: 206 }, { partial: true }],
])('%s is read as what it says', (_, answer, said) => {
  expect(wordsOf(answer)).toMatchObject(said);
});

test.each<[query: NextQuery, read: number | undefined, other: boolean]>([
  [{ offset: '20' }, 20, false],
  [{ offset: '21' }, 20, true],
  [{ offset: '0' }, 20, true],
  [{ offset: 'x21' }, 20, false],
  [{ offset: '21' }, undefined, false],
  [{ offset: '21', limit: '5' }, 20, false],
  [{ page: '21' }, 20, false],
])('%j behind %s entries is another offset: %s', (query, read, other) => {
  expect(isOtherOffset(query, read)).toBe(other);
});

test('what else asks for a page goes by numbers, and by the entries before it', () => {
  expect(rareGuesses([1, 2], 20)).toEqual([
    { 'page[number]': '1', 'pagination[page]': '1' },
    { 'page[number]': '2', 'pagination[page]': '2' },
    { skipCount: '20' },
  ]);
});
