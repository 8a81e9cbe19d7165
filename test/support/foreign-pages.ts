/** Lists of other known services, what they omit, and how they renumber their pages: 57 entries, 20 per page. */
import {
  type Answer,
  at,
  cut,
  ENTRIES,
  NAMELESS,
  paged,
  pageOf,
  pageOfEntries,
  row,
  SAME,
  stop,
  toOddities,
} from './paging-oddities.ts';

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

const SOUND = [
  row('that takes `offset` alone', { requests: 5 }, strict('offset', 422)),
  row(
    'whose `page` is the next one, without ids',
    { requests: 4, entries: NAMELESS },
    paged((page) => ({ has_more: page < 3, page: page + 1 }), NAMELESS),
  ),
  row(
    'whose `meta.page.after` is asked for by `page[after]`, without ids',
    { requests: 4, entries: NAMELESS },
    cursor('page[after]', (next) => ({ meta: { page: next ? { after: next } : {} } }), NAMELESS),
  ),
  row(
    'with `hydra:next`',
    { requests: 3 },
    cursor('id[gt]', (next, from) => ({
      'hydra:totalItems': 57,
      'hydra:view': next ? { 'hydra:next': `/api/v1/documents?id[gt]=${from + 20}` } : {},
    })),
  ),
  row(
    'with two kinds of things, each with ids of its own',
    { requests: 3, entries: KINDS },
    cursor('cursor', (next) => ({ next_cursor: next ?? null }), KINDS),
  ),
  row('with a `Link` to its guide', { requests: 5 }, linked('<https://docs.test/guide>; rel="help"')),
  row('with `Link` in single quotes', { requests: 3 }, ({ query }) => ({
    headers: pageOf(query) < 3 ? { link: `</api/v1/documents?page=${pageOf(query) + 1}>; rel='next'` } : {},
    body: { data: pageOfEntries(query) },
  })),
  row('that repeats all that it was asked', { requests: 4 }, ({ query }) => ({
    body: { data: pageOfEntries(query), page: pageOf(query), per_page: 20, cursor: query.get('cursor') },
  })),
  row('with `has_more`, where `after` is a filter', { requests: 5 }, ({ query }) => {
    const all = query.has('after') ? [] : pageOfEntries(query);
    return { body: { data: all, has_more: all.length === 20 } };
  }),
  row(
    'whose last page comes again behind it, by the number that was asked for, without ids',
    { requests: 4, entries: NAMELESS },
    ({ query }) => {
      const page = Math.min(pageOf(query), 3);
      return { body: { data: cut((page - 1) * 20, 20, NAMELESS), page: pageOf(query), per_page: 20 } };
    },
  ),
  row('whose entries go by `items`, beside `links` that are none', { requests: 3 }, ({ query }) => {
    const next = { rel: ['next'], href: `/api/v1/documents?page=${pageOf(query) + 1}` };
    return { body: { items: pageOfEntries(query), links: pageOf(query) < 3 ? [next] : [] } };
  }),
  row('that counts its pages in `pages.total`', { requests: 12, entries: HUNDRED }, ({ query }) => ({
    body: {
      data: HUNDRED.slice(pageOf(query) * 10 - 10, pageOf(query) * 10),
      pages: { current: pageOf(query), total: 10 },
    },
  })),
  row(
    'with figures of what is listed: `finished`, `total_docs`',
    { requests: 3 },
    paged((page) => ({ page, per_page: 20, total: 57, finished: 3, total_docs: 140 })),
  ),
  ...['No documents', 'Keine Dokumente', 'You have reached the end', 'No content'].map((error) =>
    row(`that says "${error}" behind its end`, { requests: 4 }, ({ query }) => ({
      body:
        pageOfEntries(query).length > 0
          ? { data: pageOfEntries(query), page: pageOf(query), per_page: 20 }
          : { success: false, error },
    })),
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
  ].map((beside) =>
    row(
      `that gives all at once beside ${JSON.stringify(beside)}`,
      { requests: 1, entries: ENTRIES.slice(0, 7) },
      () => ({ body: { data: ENTRIES.slice(0, 7), ...beside } }),
    ),
  ),
];
export const FOREIGN_PAGES = toOddities(SOUND);

/** Announced pages without a body, and hints at a next page that no known parameter requests. */
export const FOREIGN_GAPS = toOddities([
  stop(
    'that says that more follows behind a full last page, and answers null there',
    { requests: 3, read: 40, reason: /returned an empty response/ },
    (asked) => (pageOf(asked.query) < 3 ? paged((page) => ({ page, has_more: true }))(asked) : { body: null }),
  ),
  stop(
    'whose last page has gone since it was announced',
    { requests: 3, read: 40, reason: /responded with status 404 to the request for them$/ },
    (asked) =>
      pageOf(asked.query) === 3
        ? { status: 404, body: { detail: 'Invalid page.' } }
        : paged((page) => ({ count: 57, next: `?page=${page + 1}` }))(asked),
  ),
  stop(
    'whose `start` and `offset` are the number of the first row, without ids',
    { requests: 5, read: 40, reason: /entry numbers in the responses do not match/ },
    ({ query }) => {
      const start = at(query, 'offset', 1);
      return { body: { data: cut(start - 1, 20, NAMELESS), start, total: 57 } };
    },
  ),
  stop(
    'whose `page` is one more than what asks for it: nobody asks for the second',
    { requests: 2, read: 37, reason: /page numbers in the responses do not match/ },
    ({ query }) => ({ body: { data: cut(at(query, 'page') * 20), page: at(query, 'page') + 1 } }),
  ),
  ...[{ totalDocs: 57 }, { more_records: true }, { next: true }, { is_end: false }, { hasMoreData: 'true' }].map(
    (beside) =>
      stop(
        `that says ${JSON.stringify(beside)}, and pages by a parameter of its own`,
        { requests: 'totalDocs' in beside ? 7 : 10, reason: SAME },
        ({ query }) => ({ body: { data: cut(at(query, 'pg')), ...beside } }),
      ),
  ),
]);

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

const SHIFTED = [
  row('whose `from` is the number of the first row', { requests: 5, entries: NAMELESS }, rows(['from', 'total'])),
  row(
    'that gets an entry while it is guessed what it takes',
    { requests: 6 },
    busy('offset', () => ({})),
  ),
  row('whose next address repeats a parameter that nobody gave', { requests: 3 }, ({ query }) => {
    const page = pageOf(query);
    const isWhole = page === 1 || query.getAll('state[]').join() === 'a,b';
    const next = page < 3 ? `?state[]=a&state[]=b&page=${page + 1}` : null;
    return isWhole
      ? { body: { data: pageOfEntries(query), next } }
      : { status: 400, body: { error: 'state is missing' } };
  }),
  row('whose pattern of an address stands beside no next page', { requests: 1, entries: SEVEN }, () => ({
    body: { data: SEVEN, pagy: { next: null, next_url: '/api/v1/documents?page=' } },
  })),
  row(
    'whose next address counts, whatever `next` says',
    { requests: 3 },
    paged((page) => ({ next: 0, ...(page < 3 ? { next_url: `?page=${page + 1}` } : {}) })),
  ),
  row('whose `offset` is the next one, where the caller gave none', { requests: 4 }, onTo({})),
  row('whose `count` is the size of a page, and its only one shorter', { requests: 2, entries: SEVEN }, () => ({
    body: { elements: SEVEN, paging: { start: 0, count: 20, links: [] } },
  })),
  ...[
    { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], totalResults: 0 },
    { resourceType: 'Bundle', total: 0, link: [{ relation: 'self', url: 'https://docshare.test/x' }] },
    { _links: { self: { href: '/x' } }, page: { size: 20, totalElements: 0, totalPages: 0, number: 0 } },
    { meta: { result_count: 0 } },
    { total: 0, scopes: ['a', 'b'] },
  ].map((body) =>
    row(`that leaves out an empty list: ${JSON.stringify(body)}`, { requests: 1, entries: [] }, () => ({ body })),
  ),
  row('that writes its later pages as objects with numbers for names', { requests: 3 }, ({ query }) => {
    const from = at(query, 'offset');
    const data = from === 0 ? cut(0) : Object.fromEntries(cut(from).map((entry, index) => [from + index, entry]));
    return { body: { data, offset: from, total: 57 } };
  }),
  ...[
    (page: number) => ({ pagy: { page, next: page < 3 ? page + 1 : null, last: 3, count: 57, vars: {} } }),
    (page: number) => ({ paginatorInfo: { currentPage: page, lastPage: 3, perPage: 20, lastItem: 20 } }),
    (page: number) => ({ page_context: { page, per_page: 20, has_more_page: page < 3, report_name: 'Links' } }),
    (page: number) => ({ '@nextLink': page < 3 ? `/api/v1/documents?page=${page + 1}` : null }),
    (page: number) => ({ urls: { next: page < 3 ? `/api/v1/documents?page=${page + 1}` : null } }),
    (page: number) => ({ page, items_total: 57 }),
    (page: number) => ({ page, end_of_stream: page === 3 }),
  ].map((beside) => row(`that says ${JSON.stringify(beside(1))}`, { requests: 3 }, paged(beside))),
  ...[
    { result_set: SEVEN },
    { resultSet: { rows: SEVEN } },
    { page_data: SEVEN },
    { pageDetails: { contents: SEVEN } },
  ].map((body) =>
    row(
      `whose list stands in ${Object.keys(body)}: ${JSON.stringify(body).slice(0, 40)}`,
      { requests: 1, entries: SEVEN },
      () => ({ body }),
    ),
  ),
  row('that gives visitors beside the link that they came by', { requests: 1, entries: SEVEN }, () => ({
    body: { items: SEVEN, link: { id: 'l1', url: 'https://docshare.test/l/1', page_count: 12 } },
  })),
];

export const SHIFTED_PAGES = toOddities(SHIFTED);
