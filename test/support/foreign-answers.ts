/** Lists of other services (57 entries, 20 per page), and responses to requests they do not understand. */
import { type Answer, at, cut, ENTRIES, pageOf, pageOfEntries, row, stop, toOddities } from './paging-oddities.ts';

const FIRST = cut(0);

/** By page number from 1; `make` puts the entries into the response. */
const numbered =
  (make: (entries: readonly unknown[], page: number) => unknown): Answer =>
  ({ query }) => ({ body: make(pageOfEntries(query), pageOf(query)) });
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
/** Always names a next page, and marks the end separately. */
const endless = (said: object) => numbered((data, page) => ({ data, page, next_page: page + 1, ...said }));

const none = (body: unknown) =>
  row(`whose empty list is ${JSON.stringify(body)}`, { requests: 1, entries: [] }, () => ({ body }));
const FORTY = ENTRIES.slice(0, 40);
/** A list of exactly two pages that does not mark its end and returns `behind` after it. */
const behind =
  (last: ReturnType<Answer>): Answer =>
  ({ query }) => {
    const entries = pageOfEntries(query, FORTY);
    return entries.length > 0 ? { body: { data: entries } } : last;
  };
export const FOREIGN_ANSWERS = toOddities([
  row(
    'that answers with a pair, `[{page, pages, total}, entries]`',
    { requests: 3 },
    numbered((list, page) => [{ page, pages: 3, total: 57 }, list]),
  ),
  none([{ page: 1, pages: 0, total: 0 }, null]),
  none({ documents: null, owners: [{ id: 'u1' }] }),
  none({ documents: {} }),
  none({ data: { documents: null, owners: [{ id: 'u1' }] } }),
  none({ nextPageToken: '' }),
  none({ kind: 'docs#documentList', etag: 'e' }),
  none({ page: 1, has_more: false }),
  none({ QueryResponse: {}, time: '2026-11-21T10:00:00Z' }),
  none({ resultSetSize: '0', totalSetSize: '0', startPosition: '0' }),
  row('whose first page is empty, and names a token that is taken under another name', { requests: 6 }, ({ query }) => {
    const page = at(query, 'pagination_token');
    return { body: { data: page === 0 ? [] : cut(page * 20 - 20), meta: page < 3 ? { next_token: page + 1 } : {} } };
  }),
  row('whose single entry is no array', { requests: 1, entries: [{ id: 'd0' }] }, () => ({
    body: { documents: { document: { id: 'd0' } } },
  })),
  row('that leaves out a list that has no entries', { requests: 4 }, ({ query }) => {
    const page = at(query, 'pageToken');
    const next = page < 3 ? { nextPageToken: `${page + 1}` } : {};
    return { body: page === 1 ? next : { documents: cut((page > 1 ? page - 1 : page) * 20), ...next } };
  }),
  row('that names a next page for ever, and a total', { requests: 4 }, endless({ total: 57 })),
  row('that names a next page for ever, and how many there are', { requests: 4 }, endless({ total_pages: 3 })),
  row(
    'whose `next` is an offset, beside pages',
    { requests: 8 },
    tokened('next', 'offset', (next) => next),
  ),
  row(
    'whose `next` is a token, taken as `offset`',
    { requests: 8 },
    tokened('next', 'offset', (next) => `t${next}`),
  ),
  row(
    'whose next link is a template',
    { requests: 3 },
    numbered((documents, page) => ({
      documents,
      _links: page < 3 ? { next: { href: `/api/v1/documents?page=${page + 1}{&sort}`, templated: true } } : {},
    })),
  ),
  row(
    'that says beside its total that it is a least',
    { requests: 4 },
    numbered((data, page) => ({ data, page, per_page: 20, total: 40, total_relation: 'gte' })),
  ),
  row(
    'whose total is that of the page',
    { requests: 5, input: { limit: 20 } },
    numbered((data) => ({ count: data.length, total: data.length, data })),
  ),
  row('that gives `[null]` behind its end', { requests: 4, entries: FORTY }, behind({ body: { data: [null] } })),
  row(
    'that gives an empty envelope behind its end',
    { requests: 4, entries: FORTY },
    behind({ body: { QueryResponse: {}, time: '2026-11-21T10:00:00Z' } }),
  ),
]);

const NOTHING = /says that more entries follow but returned none/;
export const FOREIGN_STOPS = toOddities([
  stop(
    'that says that more follows, and gives nothing to any request',
    { requests: 18, reason: NOTHING },
    ({ query }) => ({ body: query.size > 0 ? { data: [] } : { data: FIRST, has_more: true } }),
  ),
  stop(
    'whose key of the next page is an object',
    { requests: 1, reason: /identifies the next page by an object, "LastEvaluatedKey"/ },
    () => ({ body: { Items: FIRST, Count: 20, LastEvaluatedKey: { id: { S: 'd19' } } } }),
  ),
  stop('that counts nothing where a page is empty', { requests: 11, reason: NOTHING }, ({ query }) => ({
    body: query.size > 0 ? { data: [], total: 0 } : { data: FIRST, total: 57 },
  })),
  stop(
    'that counts 57, and then nothing, in a header',
    { requests: 2, reason: /reports 57 entries but returned 20/ },
    ({ query }) => ({
      body: query.has('page') ? [] : FIRST,
      headers: { 'x-total-count': query.has('page') ? '0' : '57', 'x-page': query.get('page') ?? '1' },
    }),
  ),
  stop(
    'that answers with a text behind its last page',
    { requests: 4, reason: /holds no list/, read: 40 },
    behind({ body: 'none' }),
  ),
  stop(
    'that fails behind its last page',
    { requests: 4, reason: /status 500/, read: 40 },
    behind({ body: {}, status: 500 }),
  ),
]);
