/** Lists of other services that renumber their pages, or change while they are read: 57 entries, 20 per page. */
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
  toOddities,
} from './paging-oddities.ts';

type Answer = Oddity['answer'];

const SEVEN = ENTRIES.slice(0, 7);

/** From the second request on, a new entry comes first. */
const busy =
  (param: string, beside: (next: string | undefined) => Partial<ReturnType<Answer>>): Answer =>
  ({ query, index }) => {
    const from = at(query, param);
    const entries = index === 0 ? ENTRIES : [{ id: 'new', at: -1 }, ...ENTRIES];
    const { body, ...rest } = beside(from < 37 ? `c${from + 20}` : undefined);
    return { body: { data: cut(from, 20, entries), ...(body as object) }, ...rest };
  };

/** Counts its rows from 1, and accepts the number of a page. */
const rows =
  (names: readonly [string, string]): Answer =>
  ({ query }) => {
    const from = (pageOf(query) - 1) * 20;
    return { body: { data: cut(from, 20, NAMELESS), [names[0]]: from + 1, [names[1]]: 57 } };
  };

/** Returns the next offset, and accepts it. */
const onTo =
  (more: object): Answer =>
  ({ query }) => {
    const from = at(query, 'offset');
    return { body: { results: cut(from), offset: from + cut(from).length, ...more } };
  };

const SOUND: readonly Row[] = [
  ['whose `from` is the number of the first row', rows(['from', 'total']), 5, { entries: NAMELESS }],
  ['that gets an entry while it is guessed what it takes', busy('offset', () => ({})), 6],
  [
    'whose next address repeats a parameter that nobody gave',
    ({ query }) => {
      const page = pageOf(query);
      const isWhole = page === 1 || query.getAll('state[]').join() === 'a,b';
      const next = page < 3 ? `?state[]=a&state[]=b&page=${page + 1}` : null;
      return isWhole
        ? { body: { data: pageOfEntries(query), next } }
        : { status: 400, body: { error: 'state is missing' } };
    },
    3,
  ],
  [
    'whose pattern of an address stands beside no next page',
    () => ({ body: { data: SEVEN, pagy: { next: null, next_url: '/api/v1/documents?page=' } } }),
    1,
    { entries: SEVEN },
  ],
  [
    'whose next address counts, whatever `next` says',
    paged((page) => ({ next: 0, ...(page < 3 ? { next_url: `?page=${page + 1}` } : {}) })),
    3,
  ],
  ['whose `offset` is the next one, where the caller gave none', onTo({}), 4],
  [
    'whose `count` is the size of a page, and its only one shorter',
    () => ({ body: { elements: SEVEN, paging: { start: 0, count: 20, links: [] } } }),
    2,
    { entries: SEVEN },
  ],
  ...[
    { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], totalResults: 0 },
    { resourceType: 'Bundle', total: 0, link: [{ relation: 'self', url: 'https://docshare.test/x' }] },
    { _links: { self: { href: '/x' } }, page: { size: 20, totalElements: 0, totalPages: 0, number: 0 } },
    { meta: { result_count: 0 } },
    { total: 0, scopes: ['a', 'b'] },
  ].map(
    (body): Row => [`that leaves out an empty list: ${JSON.stringify(body)}`, () => ({ body }), 1, { entries: [] }],
  ),
  [
    'that writes its later pages as objects with numbers for names',
    ({ query }) => {
      const from = at(query, 'offset');
      const data = from === 0 ? cut(0) : Object.fromEntries(cut(from).map((entry, index) => [from + index, entry]));
      return { body: { data, offset: from, total: 57 } };
    },
    3,
  ],
  ...[
    (page: number) => ({ pagy: { page, next: page < 3 ? page + 1 : null, last: 3, count: 57, vars: {} } }),
    (page: number) => ({ paginatorInfo: { currentPage: page, lastPage: 3, perPage: 20, lastItem: 20 } }),
    (page: number) => ({ page_context: { page, per_page: 20, has_more_page: page < 3, report_name: 'Links' } }),
    (page: number) => ({ '@nextLink': page < 3 ? `/api/v1/documents?page=${page + 1}` : null }),
    (page: number) => ({ urls: { next: page < 3 ? `/api/v1/documents?page=${page + 1}` : null } }),
    (page: number) => ({ page, items_total: 57 }),
    (page: number) => ({ page, end_of_stream: page === 3 }),
  ].map((beside): Row => [`that says ${JSON.stringify(beside(1))}`, paged(beside), 3]),
  ...[
    { result_set: SEVEN },
    { resultSet: { rows: SEVEN } },
    { page_data: SEVEN },
    { pageDetails: { contents: SEVEN } },
  ].map(
    (body): Row => [
      `whose list stands in ${Object.keys(body)}: ${JSON.stringify(body).slice(0, 40)}`,
      () => ({ body }),
      1,
      { entries: SEVEN },
    ],
  ),
  [
    'that gives visitors beside the link that they came by',
    () => ({ body: { items: SEVEN, link: { id: 'l1', url: 'https://docshare.test/l/1', page_count: 12 } } }),
    1,
    { entries: SEVEN },
  ],
];

export const SHIFTED_PAGES = toOddities(SOUND);
