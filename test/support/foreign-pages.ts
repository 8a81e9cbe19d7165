/** Pagination schemes of other known services, and what they omit: 57 entries, 20 per page. */
import {
  at,
  cut,
  ENTRIES,
  NAMELESS,
  type Oddity,
  paged,
  pageOf,
  pageOfEntries,
  type Row,
  SAME,
  stop,
  toOddities,
} from './paging-oddities.ts';

type Answer = Oddity['answer'];

const KINDS = [
  ...Array.from({ length: 30 }, (_, at) => ({ type: 'folder', id: `${at}` })),
  ...Array.from({ length: 27 }, (_, at) => ({ type: 'document', id: `${at}` })),
];
const HUNDRED = Array.from({ length: 100 }, (_, at) => ({ id: `h${at}` }));

/** By a cursor that `beside` puts into the response and the parameter `param` accepts. */
const cursor =
  (param: string, beside: (next: string | undefined, from: number) => object, entries?: readonly unknown[]): Answer =>
  ({ query }) => {
    const from = at(query, param);
    return { body: { data: cut(from, 20, entries), ...beside(from < 40 ? `c${from + 20}` : undefined, from) } };
  };

/** Rejects all parameters but one. */
const strict =
  (known: string, status: number, beside: object = {}): Answer =>
  ({ query }) =>
    [...query.keys()].every((name) => name === known)
      ? { body: { data: cut(at(query, known)), ...beside } }
      : { status, body: { error: 'Extra inputs are not permitted' } };

const linked =
  (link: string, beside: (page: number) => object = () => ({})): Answer =>
  ({ query }) => ({ headers: { link }, body: { data: pageOfEntries(query), ...beside(pageOf(query)) } });

const SOUND: readonly Row[] = [
  ['that takes `offset` alone', strict('offset', 422), 5],
  [
    'whose `page` is the next one, without ids',
    paged((page) => ({ has_more: page < 3, page: page + 1 }), NAMELESS),
    4,
    { entries: NAMELESS },
  ],
  [
    'whose `meta.page.after` is asked for by `page[after]`, without ids',
    cursor('page[after]', (next) => ({ meta: { page: next ? { after: next } : {} } }), NAMELESS),
    4,
    { entries: NAMELESS },
  ],
  [
    'with `hydra:next`',
    cursor('id[gt]', (next, from) => ({
      'hydra:totalItems': 57,
      'hydra:view': next ? { 'hydra:next': `/api/v1/documents?id[gt]=${from + 20}` } : {},
    })),
    3,
  ],
  [
    'with two kinds of things, each with ids of its own',
    cursor('cursor', (next) => ({ next_cursor: next ?? null }), KINDS),
    3,
    { entries: KINDS },
  ],
  ['with a `Link` to its guide', linked('<https://docs.test/guide>; rel="help"'), 5],
  [
    'with `Link` in single quotes',
    ({ query }) => ({
      headers: pageOf(query) < 3 ? { link: `</api/v1/documents?page=${pageOf(query) + 1}>; rel='next'` } : {},
      body: { data: pageOfEntries(query) },
    }),
    3,
  ],
  [
    'that repeats all that it was asked',
    ({ query }) => ({
      body: { data: pageOfEntries(query), page: pageOf(query), per_page: 20, cursor: query.get('cursor') },
    }),
    4,
  ],
  [
    'with `has_more`, where `after` is a filter',
    ({ query }) => {
      const all = query.has('after') ? [] : pageOfEntries(query);
      return { body: { data: all, has_more: all.length === 20 } };
    },
    5,
  ],
  [
    'whose last page comes again behind it, by the number that was asked for, without ids',
    ({ query }) => {
      const page = Math.min(pageOf(query), 3);
      return { body: { data: cut((page - 1) * 20, 20, NAMELESS), page: pageOf(query), per_page: 20 } };
    },
    4,
    { entries: NAMELESS },
  ],
  [
    'whose entries go by `items`, beside `links` that are none',
    ({ query }) => {
      const next = { rel: ['next'], href: `/api/v1/documents?page=${pageOf(query) + 1}` };
      return { body: { items: pageOfEntries(query), links: pageOf(query) < 3 ? [next] : [] } };
    },
    3,
  ],
  [
    'that counts its pages in `pages.total`',
    ({ query }) => ({
      body: {
        data: HUNDRED.slice(pageOf(query) * 10 - 10, pageOf(query) * 10),
        pages: { current: pageOf(query), total: 10 },
      },
    }),
    12,
    { entries: HUNDRED },
  ],
  [
    'with figures of what is listed: `finished`, `total_docs`',
    paged((page) => ({ page, per_page: 20, total: 57, finished: 3, total_docs: 140 })),
    3,
  ],
  ...['No documents', 'Keine Dokumente', 'You have reached the end', 'No content'].map(
    (error): Row => [
      `that says "${error}" behind its end`,
      ({ query }) => ({
        body:
          pageOfEntries(query).length > 0
            ? { data: pageOfEntries(query), page: pageOf(query), per_page: 20 }
            : { success: false, error },
      }),
      4,
    ],
  ),
  ...[
    { info: { id: 'i1', name: 'Deck', pages: 12, size: 48_213 } },
    { info: { page_count: 12, id: 'i1' } },
    { info: { next: 'v2' } },
    { view: { total: 300, unique: 7 } },
    { pages: { total: 12, viewed: 9 } },
    { navigation: { next: 'Rooms', prev: 'Documents' } },
    { meta: { timezone: 'Europe/Berlin', offset: '+02:00' } },
    { additional_data: { count: 300 } },
  ].map(
    (beside): Row => [
      `that gives all at once beside ${JSON.stringify(beside)}`,
      () => ({ body: { data: ENTRIES.slice(0, 7), ...beside } }),
      1,
      { entries: ENTRIES.slice(0, 7) },
    ],
  ),
];
export const FOREIGN_PAGES = toOddities(SOUND);

const EMPTY = /returned an empty response/;
/** Announced pages without a body, and hints at a next page that no known parameter requests. */
export const FOREIGN_GAPS = toOddities([
  stop(
    'that says that more follows behind a full last page, and answers null there',
    (asked) => (pageOf(asked.query) < 3 ? paged((page) => ({ page, has_more: true }))(asked) : { body: null }),
    3,
    { read: 40, reason: EMPTY },
  ),
  stop(
    'whose last page has gone since it was announced',
    (asked) =>
      pageOf(asked.query) === 3
        ? { status: 404, body: { detail: 'Invalid page.' } }
        : paged((page) => ({ count: 57, next: `?page=${page + 1}` }))(asked),
    3,
    { read: 40, reason: /responded with status 404 to the request for them$/ },
  ),
  stop(
    'whose `start` and `offset` are the number of the first row, without ids',
    ({ query }) => {
      const start = at(query, 'offset', 1);
      return { body: { data: cut(start - 1, 20, NAMELESS), start, total: 57 } };
    },
    5,
    { read: 40, reason: /entry numbers in the responses do not match/ },
  ),
  stop(
    'whose `page` is one more than what asks for it: nobody asks for the second',
    ({ query }) => ({ body: { data: cut(at(query, 'page') * 20), page: at(query, 'page') + 1 } }),
    2,
    { read: 37, reason: /page numbers in the responses do not match/ },
  ),
  ...[{ totalDocs: 57 }, { more_records: true }, { next: true }, { is_end: false }, { hasMoreData: 'true' }].map(
    (beside) =>
      stop(
        `that says ${JSON.stringify(beside)}, and pages by a parameter of its own`,
        ({ query }) => ({ body: { data: cut(at(query, 'pg')), ...beside } }),
        'totalDocs' in beside ? 7 : 10,
        { reason: SAME },
      ),
  ),
]);
