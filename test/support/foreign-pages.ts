/** Pagination schemes of other known services, and what they omit: 57 entries, 20 per page. */
import { ENTRIES, type Oddity } from './paging-oddities.ts';

type Answer = Oddity['answer'];
type Query = URLSearchParams;

const NAMELESS = Array.from({ length: 57 }, (_, at) => ({ name: `n${at}`, odd: at % 2 }));
const KINDS = [
  ...Array.from({ length: 30 }, (_, at) => ({ type: 'folder', id: `${at}` })),
  ...Array.from({ length: 27 }, (_, at) => ({ type: 'document', id: `${at}` })),
];
const HUNDRED = Array.from({ length: 100 }, (_, at) => ({ id: `h${at}` }));
const FORTY = ENTRIES.slice(0, 40);
const cut = (from: number, entries: readonly unknown[] = ENTRIES) => entries.slice(from, from + 20);
const number = (query: Query, name: string, usual = 0) => Number(query.get(name)?.replace(/^\D+/, '') ?? usual);
const pageOf = (query: Query) => number(query, 'page', 1);
const byPage = (query: Query, entries?: readonly unknown[]) => cut((pageOf(query) - 1) * 20, entries);

/** By a cursor that `beside` puts into the response and the parameter `param` accepts. */
const cursor =
  (param: string, beside: (next: string | undefined, from: number) => object, entries?: readonly unknown[]): Answer =>
  ({ query }) => {
    const from = number(query, param);
    return { body: { data: cut(from, entries), ...beside(from < 40 ? `c${from + 20}` : undefined, from) } };
  };

/** Rejects all parameters but one. */
const strict =
  (known: string, status: number, beside: object = {}): Answer =>
  ({ query }) =>
    [...query.keys()].every((name) => name === known)
      ? { body: { data: cut(number(query, known)), ...beside } }
      : { status, body: { error: 'Extra inputs are not permitted' } };

const linked =
  (link: string, beside: (page: number) => object = () => ({})): Answer =>
  ({ query }) => ({ headers: { link }, body: { data: byPage(query), ...beside(pageOf(query)) } });

type Row = readonly [words: string, answer: Answer, requests: number, entries?: readonly unknown[]];
const SOUND: readonly Row[] = [
  ['that takes `offset` alone', strict('offset', 422), 5],
  ['that takes `skip` alone, and names the size of its pages', strict('skip', 400, { limit: 20 }), 6],
  ['that takes `offset` alone, and counts its entries', strict('offset', 400, { total: 57 }), 4],
  [
    'whose `offset` is where to go on',
    ({ query }) => {
      const from = number(query, 'offset');
      return { body: { data: cut(from), hasMore: from < 40, offset: Math.min(from + 20, 57) } };
    },
    3,
  ],
  [
    'whose `page` is the next one, without ids',
    ({ query }) => ({ body: { data: byPage(query, NAMELESS), has_more: pageOf(query) < 3, page: pageOf(query) + 1 } }),
    4,
    NAMELESS,
  ],
  [
    'whose `offset` is a text',
    ({ query }) => {
      const given = query.get('offset') ?? 'it/0';
      const from = Number(/^it\/(\d+)$/.exec(given)?.[1] ?? Number.NaN);
      if (Number.isNaN(from)) return { status: 422, body: { error: 'no such iterator' } };
      return { body: { data: cut(from), ...(from < 40 ? { offset: `it/${from + 20}` } : {}) } };
    },
    3,
  ],
  [
    'whose `pagination.cursor` is asked for by `after`, without ids',
    cursor('after', (next) => ({ pagination: next ? { cursor: next } : {} }), NAMELESS),
    4,
    NAMELESS,
  ],
  [
    'whose `meta.page.after` is asked for by `page[after]`, without ids',
    cursor('page[after]', (next) => ({ meta: { page: next ? { after: next } : {} } }), NAMELESS),
    4,
    NAMELESS,
  ],
  [
    'whose cursor stands in `additional_data`',
    cursor('cursor', (next) => ({ additional_data: { next_cursor: next ?? null } })),
    3,
  ],
  [
    'with `next_start` and `more_items_in_collection`',
    ({ query }) => {
      const start = number(query, 'start');
      const more = start < 40 ? { next_start: start + 20 } : {};
      const pagination = { start, limit: 20, more_items_in_collection: start < 40, ...more };
      return { body: { success: true, data: cut(start), additional_data: { pagination } } };
    },
    3,
  ],
  [
    'with `startPosition` and a `totalSetSize` in texts',
    ({ query }) => {
      const from = number(query, 'start_position') || number(query, 'startPosition');
      return { body: { totalSetSize: '57', startPosition: `${from}`, data: cut(from) } };
    },
    3,
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
    'whose cursor stands in `pagination_info`',
    cursor('cursor', (next) => ({ pagination_info: { next_cursor: next ?? null } })),
    3,
  ],
  [
    'whose `pages.next` names its parameter',
    cursor('starting_after', (next) => ({ pages: { next: next ? { starting_after: next } : null } })),
    3,
  ],
  ['with `after_cursor`', cursor('after', (next) => ({ after_cursor: next ?? null })), 3],
  [
    'whose `next_cursor` is asked for by `start_cursor`',
    cursor('start_cursor', (next) => ({ next_cursor: next ?? null })),
    6,
  ],
  [
    'with two kinds of things, each with ids of its own',
    cursor('cursor', (next) => ({ next_cursor: next ?? null }), KINDS),
    3,
    KINDS,
  ],
  ['with a `Link` to its guide', linked('<https://docs.test/guide>; rel="help"'), 5],
  ['with a `Link` to itself, and numbered pages', linked('</>; rel=self', (page) => ({ page, per_page: 20 })), 4],
  [
    'with `Link` in single quotes',
    ({ query }) => ({
      headers: pageOf(query) < 3 ? { link: `</api/v1/documents?page=${pageOf(query) + 1}>; rel='next'` } : {},
      body: { data: byPage(query) },
    }),
    3,
  ],
  [
    'that repeats all that it was asked',
    ({ query }) => ({ body: { data: byPage(query), page: pageOf(query), per_page: 20, cursor: query.get('cursor') } }),
    4,
  ],
  [
    'with `has_more`, where `after` is a filter',
    ({ query }) => {
      const all = query.has('after') ? [] : byPage(query);
      return { body: { data: all, has_more: all.length === 20 } };
    },
    5,
  ],
  [
    'whose last page comes again behind it, by the number that was asked for, without ids',
    ({ query }) => {
      const page = Math.min(pageOf(query), 3);
      return { body: { data: cut((page - 1) * 20, NAMELESS), page: pageOf(query), per_page: 20 } };
    },
    4,
    NAMELESS,
  ],
  [
    'whose entries go by `items`, beside `links` that are none',
    ({ query }) => {
      const next = { rel: ['next'], href: `/api/v1/documents?page=${pageOf(query) + 1}` };
      return { body: { items: byPage(query), links: pageOf(query) < 3 ? [next] : [] } };
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
    HUNDRED,
  ],
  [
    'that counts its pages in `page.total`',
    ({ query }) => ({
      body: {
        data: HUNDRED.slice(pageOf(query) * 10 - 10, pageOf(query) * 10),
        page: { current: pageOf(query), total: 10 },
      },
    }),
    11,
    HUNDRED,
  ],
  [
    'with figures of what is listed: `finished`, `total_docs`',
    ({ query }) => ({
      body: { data: byPage(query), page: pageOf(query), per_page: 20, total: 57, finished: 3, total_docs: 140 },
    }),
    3,
  ],
  ...['No documents', 'Keine Dokumente', 'You have reached the end', 'No content'].map(
    (error): Row => [
      `that says "${error}" behind its end`,
      ({ query }) => ({
        body:
          byPage(query).length > 0
            ? { data: byPage(query), page: pageOf(query), per_page: 20 }
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
      ENTRIES.slice(0, 7),
    ],
  ),
];
export const FOREIGN_PAGES: Readonly<Record<string, Oddity>> = Object.fromEntries(
  SOUND.map(([words, answer, requests, entries]) => [
    words,
    { words, answer, requests, ...(entries ? { entries } : {}) },
  ]),
);

const EMPTY = /returned an empty response/;
const announced =
  (body: unknown, beside: (page: number) => object): Answer =>
  ({ query }) =>
    pageOf(query) === 3 ? { body } : { body: { data: byPage(query), ...beside(pageOf(query)) } };

/** Announced pages without a body, and hints at a next page that no known parameter requests. */
export const FOREIGN_GAPS: Readonly<Record<string, Oddity>> = {
  'null behind a last page that says otherwise': {
    words: 'that says that more follows behind a full last page, and answers null there',
    answer: ({ query }) => {
      const data = byPage(query, FORTY);
      return { body: data.length > 0 ? { data, page: pageOf(query), has_more: true } : null };
    },
    requests: 3,
    stops: { read: 40, reason: EMPTY },
  },
  'no page of three': {
    words: 'whose third page of three is null',
    answer: announced(null, (page) => ({ page, total_pages: 3 })),
    requests: 3,
    stops: { read: 40, reason: EMPTY },
  },
  'a last page that has gone': {
    words: 'whose last page has gone since it was announced',
    answer: ({ query }) =>
      pageOf(query) === 3
        ? { status: 404, body: { detail: 'Invalid page.' } }
        : { body: { results: byPage(query), count: 57, next: `?page=${pageOf(query) + 1}` } },
    requests: 3,
    stops: { read: 40, reason: /responded with status 404 to the request for them$/ },
  },
  'an offset that counts from 1': {
    words: 'whose `start` and `offset` are the number of the first row, without ids',
    answer: ({ query }) => {
      const start = number(query, 'offset', 1);
      return { body: { data: cut(start - 1, NAMELESS), start, total: 57 } };
    },
    requests: 5,
    stops: { read: 40, reason: /entry numbers in the responses do not match/ },
  },
  'numbers of another kind': {
    words: 'whose `page` is one more than what asks for it: nobody asks for the second',
    answer: ({ query }) => ({ body: { data: cut(number(query, 'page') * 20), page: number(query, 'page') + 1 } }),
    requests: 2,
    stops: { read: 37, reason: /page numbers in the responses do not match/ },
  },
  ...Object.fromEntries(
    [{ totalDocs: 57 }, { more_records: true }, { next: true }, { is_end: false }, { hasMoreData: 'true' }].map(
      (beside) => [
        JSON.stringify(beside),
        {
          words: `that says ${JSON.stringify(beside)}, and pages by a parameter of its own`,
          answer: ({ query }) => ({ body: { data: cut(number(query, 'pg')), ...beside } }),
          requests: 'totalDocs' in beside ? 7 : 10,
          stops: { read: 20, reason: /the same page again/ },
        } satisfies Oddity,
      ],
    ),
  ),
};
