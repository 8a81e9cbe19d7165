/**
 * Responses of lists in the formats of other services, and responses to requests that they do not understand: 57
 * entries, 20 per page.
 */
import { ENTRIES, type Oddity } from './paging-oddities.ts';

type Answer = Oddity['answer'];
type Asked = Parameters<Answer>[0];

const number = (query: URLSearchParams, name: string, usual = 0) => Number(query.get(name) ?? usual);
const cut = (from: number, size = 20) => ENTRIES.slice(from, from + size);
const FIRST = cut(0);

/** By page number from 1. `beside` contains the pagination fields, and `last` replaces pages after the end. */
const paged =
  (make: (entries: readonly unknown[], page: number) => unknown, last?: object): Answer =>
  ({ query }) => {
    const page = number(query, 'page', 1);
    const entries = cut((page - 1) * 20);
    return { body: entries.length === 0 && last ? last : make(entries, page) };
  };
/** By a token, accepted under one name only. A number under that name finds nothing. */
const tokened = (field: string, param: string, token: (next: number) => unknown): Answer => {
  const numbers = ['page', 'offset', 'skip', 'start', 'from'].filter((name) => name !== param);
  return ({ query }) => {
    const isLost = numbers.some((name) => query.has(name));
    const from = Number((query.get(param) ?? '0').replace(/^\D+/, ''));
    const next = from + 20 < 57 ? { [field]: token(from + 20) } : {};
    return { body: isLost ? { data: [] } : { data: cut(from), ...next } };
  };
};
const linked = ({ query }: Asked): ReturnType<Answer> => {
  const from = number(query, 'cursor');
  const link = (rel: string, to: number, has: boolean) =>
    `<https://docshare.test/api/v1/documents?cursor=${to}>; rel="${rel}"; results="${has}"`;
  const headers = { link: `${link('previous', 0, from > 0)}, ${link('next', from + 20, from + 20 < 57)}` };
  return { body: cut(from), headers };
};
/** Always names a next page, and marks the end separately. */
const endless = (said: object) => paged((data, page) => ({ data, page, next_page: page + 1, ...said }));

type Row = readonly [words: string, answer: Answer, requests: number, more?: Partial<Oddity>];
const table = (rows: Readonly<Record<string, Row>>): Readonly<Record<string, Oddity>> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, [words, answer, requests, more]]) => [name, { words, answer, requests, ...more }]),
  );
const none = (body: unknown): Row => [
  `whose empty list is ${JSON.stringify(body)}`,
  () => ({ body }),
  1,
  { entries: [] },
];
const stop = (words: string, answer: Answer, requests: number, reason: RegExp, read = 20): Row => [
  words,
  answer,
  requests,
  { stops: { read, reason } },
];
/** A list of exactly two pages that does not mark its end and returns `behind` after it. */
const behind =
  (last: ReturnType<Answer>): Answer =>
  ({ query }) => {
    const entries = ENTRIES.slice(0, 40)
      .slice((number(query, 'page', 1) - 1) * 20)
      .slice(0, 20);
    return entries.length > 0 ? { body: { data: entries } } : last;
  };
const FORTY = { entries: ENTRIES.slice(0, 40) };

export const FOREIGN_ANSWERS = table({
  pair: [
    'that answers with a pair, `[{page, pages, total}, entries]`',
    paged((list, page) => [{ page, pages: 3, total: 57 }, list]),
    3,
  ],
  nested: ['that puts its list in a list', paged((list, page) => ({ data: [list], page, total_pages: 3 })), 3],
  'none-in-a-pair': none([{ page: 1, pages: 0, total: 0 }, null]),
  'none-beside-others': none({ documents: null, owners: [{ id: 'u1' }] }),
  'none-as-an-object': none({ documents: {} }),
  'none-in-an-envelope': none({ data: { documents: null, owners: [{ id: 'u1' }] } }),
  'none-but-a-token': none({ nextPageToken: '' }),
  'none-of-a-kind': none({ kind: 'docs#documentList', etag: 'e' }),
  'none-and-no-more': none({ page: 1, has_more: false }),
  'none-in-an-empty-envelope': none({ QueryResponse: {}, time: '2026-11-21T10:00:00Z' }),
  'none-counted-in-texts': none({ resultSetSize: '0', totalSetSize: '0', startPosition: '0' }),
  'empty-first-page': [
    'whose first page is empty, and names a token that is taken under another name',
    ({ query }) => {
      const at = number(query, 'pagination_token');
      return { body: { data: at === 0 ? [] : cut(at * 20 - 20), meta: at < 3 ? { next_token: at + 1 } : {} } };
    },
    6,
  ],
  'resumption-token': [
    'that names a `resumptionToken`',
    tokened('resumptionToken', 'resumptionToken', (next) => `t${next}`),
    3,
  ],
  'one-of-xml': [
    'whose single entry is no array',
    () => ({ body: { documents: { document: { id: 'd0' } } } }),
    1,
    { entries: [{ id: 'd0' }] },
  ],
  'left-out-in-the-middle': [
    'that leaves out a list that has no entries',
    ({ query }) => {
      const at = number(query, 'pageToken');
      const next = at < 3 ? { nextPageToken: `${at + 1}` } : {};
      return { body: at === 1 ? next : { documents: cut((at > 1 ? at - 1 : at) * 20), ...next } };
    },
    4,
  ],
  'link-without-results': ['that says of its next link that nothing stands there', linked, 3],
  'next-page-and-total': ['that names a next page for ever, and a total', endless({ total: 57 }), 4],
  'next-page-and-last-page': [
    'that names a next page for ever, and how many there are',
    endless({ total_pages: 3 }),
    4,
  ],
  'next-is-an-offset': ['whose `next` is an offset, beside pages', tokened('next', 'offset', (next) => next), 8],
  'next-is-a-token-for-offset': [
    'whose `next` is a token, taken as `offset`',
    tokened('next', 'offset', (next) => `t${next}`),
    8,
  ],
  'next-is-taken-as-next': ['whose `next` is taken as `next`', tokened('next', 'next', (next) => `t${next}`), 9],
  'hal-array': [
    'whose `_links.next` is an array',
    paged((documents, page) => ({
      documents,
      _links: { next: page < 3 ? [{ href: `/api/v1/documents?page=${page + 1}` }] : [] },
    })),
    3,
  ],
  'hal-template': [
    'whose next link is a template',
    paged((documents, page) => ({
      documents,
      _links: page < 3 ? { next: { href: `/api/v1/documents?page=${page + 1}{&sort}`, templated: true } } : {},
    })),
    3,
  ],
  'total-is-a-least': [
    'whose total is the least that it knows',
    paged((data, page) => ({ data, page, per_page: 20, total: { value: 40, relation: 'gte' } })),
    4,
  ],
  'total-with-relation': [
    'that says beside its total that it is a least',
    paged((data, page) => ({ data, page, per_page: 20, total: 40, total_relation: 'gte' })),
    4,
  ],
  'total-of-a-page': [
    'whose total is that of the page',
    paged((data) => ({ count: data.length, total: data.length, data })),
    5,
    { input: { limit: 20 } },
  ],
  'nulls-behind-the-end': ['that gives `[null]` behind its end', behind({ body: { data: [null] } }), 4, FORTY],
  'hollow-behind-the-end': ['that gives `[{}]` behind its end', behind({ body: { data: [{}] } }), 4, FORTY],
  'envelope-behind-the-end': [
    'that gives an empty envelope behind its end',
    behind({ body: { QueryResponse: {}, time: '2026-11-21T10:00:00Z' } }),
    4,
    FORTY,
  ],
  'object-behind-the-end': ['that gives `{}` behind its end', behind({ body: {} }), 4, FORTY],
  'false-behind-the-end': ['that gives `{"data": false}` behind its end', behind({ body: { data: false } }), 4, FORTY],
});

const NOTHING = /says that more entries follow but returned none/;
export const FOREIGN_STOPS = table({
  'more-and-nothing': stop(
    'that says that more follows, and gives nothing to any request',
    ({ query }) => ({ body: query.size > 0 ? { data: [] } : { data: FIRST, has_more: true } }),
    18,
    NOTHING,
  ),
  'cursor-and-nothing': stop(
    'that names a cursor, and gives nothing under any name',
    ({ query }) => ({ body: query.size > 0 ? { data: [] } : { data: FIRST, next_cursor: 'X' } }),
    7,
    NOTHING,
  ),
  'key-that-is-an-object': stop(
    'whose key of the next page is an object',
    () => ({ body: { Items: FIRST, Count: 20, LastEvaluatedKey: { id: { S: 'd19' } } } }),
    1,
    /identifies the next page by an object, "LastEvaluatedKey"/,
  ),
  'remaining-items': stop(
    'that says how many entries remain, and ignores all that is asked',
    () => ({ body: { data: FIRST, remainingItemCount: 37 } }),
    10,
    /the same page again/,
  ),
  'token-for-a-number': stop(
    'that finds nothing where its token is asked for as a number, and ignores all else',
    tokened('next', 'token', (next) => `t${next}`),
    8,
    /the same page again/,
  ),
  'number-that-is-no-page': stop(
    'whose `next_page` is the id of a page',
    tokened('next_page', 'page_id', (next) => next),
    5,
    /the same page again/,
  ),
  'total-that-goes-away': stop(
    'that counts nothing where a page is empty',
    ({ query }) => ({ body: query.size > 0 ? { data: [], total: 0 } : { data: FIRST, total: 57 } }),
    11,
    NOTHING,
  ),
  'header-total-that-goes-away': stop(
    'that counts 57, and then nothing, in a header',
    ({ query }) => ({
      body: query.has('page') ? [] : FIRST,
      headers: { 'x-total-count': query.has('page') ? '0' : '57', 'x-page': query.get('page') ?? '1' },
    }),
    2,
    /reports 57 entries but returned 20/,
  ),
  'entries-that-remain': stop(
    'that says how many entries remain, and ignores what it is asked',
    () => ({ body: { response: { cursor: 0, results: cut(0, 13), count: 13, remaining: 44 } } }),
    8,
    /the same page again/,
    13,
  ),
  'text-behind-a-full-page': stop(
    'that answers with a text behind its last page',
    behind({ body: 'none' }),
    4,
    /holds no list/,
    40,
  ),
  'fault-behind-a-guess': stop(
    'that fails behind its last page',
    behind({ body: {}, status: 500 }),
    4,
    /status 500/,
    40,
  ),
  'right-behind-a-guess': stop(
    'that forbids what is behind its last page',
    behind({ body: {}, status: 403 }),
    4,
    /status 403/,
    40,
  ),
});
