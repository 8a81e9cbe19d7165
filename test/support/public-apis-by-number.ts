/** Public APIs that page by the number of a page or of an entry, according to their documentation. */
import { body, byOffset, byPage, LIST, link, pages, type Row, url } from './public-api.ts';

export const BY_NUMBER: Readonly<Record<string, Row>> = {
  GitHub: byPage('page', (page, at) => link(`page=${at + 1}`, page, page.items)),
  'GitHub search': byPage('page', (page, at) =>
    link(`q=x&page=${at + 1}`, page, { total_count: 57, incomplete_results: false, items: page.items }),
  ),
  GitLab: byPage('page', (page, at) => ({
    body: page.items,
    headers: {
      'x-page': `${at}`,
      'x-per-page': '20',
      'x-next-page': page.more ? `${at + 1}` : '',
      'x-total': '57',
      'x-total-pages': `${pages}`,
    },
  })),
  'HubSpot v1 contacts': byOffset('vidOffset', ({ items: contacts, more, next }) =>
    body({ contacts, 'has-more': more, 'vid-offset': next }),
  ),
  'HubSpot v1 engagements': byOffset('offset', ({ items: results, more, next }) =>
    body({ results, hasMore: more, offset: next }),
  ),
  Algolia: byPage(
    'page',
    ({ items: hits }, page) => body({ hits, page, nbHits: 57, nbPages: pages, hitsPerPage: 20 }),
    [0, 20],
  ),
  SCIM: byOffset(
    'startIndex',
    ({ items: Resources, from }) =>
      body({ totalResults: 57, startIndex: from + 1, itemsPerPage: Resources.length, Resources }),
    [1, 20],
  ),
  'OData v4': byOffset('$skip', ({ items: value, more, next }) =>
    body({ '@odata.context': 'x', value, ...(more ? { '@odata.nextLink': url(`$skip=${next}`) } : {}) }),
  ),
  'JSON:API links': byPage('page[number]', ({ items: data, more }, at) =>
    body({
      data,
      links: {
        self: url(`page[number]=${at}`),
        first: url('page[number]=1'),
        last: url(`page[number]=${pages}`),
        next: more ? url(`page[number]=${at + 1}`) : null,
      },
    }),
  ),
  'JSON:API offset': byOffset('page[offset]', ({ items: data }) => body({ data, meta: { total: 57 } })),
  WordPress: byPage('page', ({ items }) => ({
    body: items,
    headers: { 'x-wp-total': '57', 'x-wp-totalpages': `${pages}` },
  })),
  PandaDoc: byPage('page', ({ items: results }) => body({ results }), [1, 50]),
  DocuSign: byOffset('start_position', ({ items: envelopes, from, next, more }) =>
    body({
      envelopes,
      resultSetSize: `${envelopes.length}`,
      totalSetSize: '57',
      startPosition: `${from}`,
      endPosition: `${next - 1}`,
      // The URL of the account, which the client must not follow.
      nextUri: more ? `/accounts/1/envelopes?start_position=${next}` : '',
    }),
  ),
  Mailchimp: byOffset('offset', ({ items: documents }) => body({ documents, total_items: 57 })),
  Typeform: byPage('page', ({ items }) => body({ items, page_count: pages, total_items: 57 })),
  Bubble: byOffset('cursor', ({ items: results, from }) =>
    body({ response: { cursor: from, results, count: results.length, remaining: 57 - from - results.length } }),
  ),
  Spring: byPage(
    'page',
    ({ items: content, from, more }, page) =>
      body({
        content,
        pageable: { pageNumber: page, pageSize: 20, offset: from, paged: true },
        totalPages: pages,
        totalElements: 57,
        last: !more,
        first: page === 0,
        number: page,
        size: 20,
        numberOfElements: content.length,
      }),
    [0, 20],
  ),
  'Spring HATEOAS': byPage(
    'page',
    ({ items: documents, more }, page) =>
      body({
        _embedded: { documents },
        _links: more ? { next: { href: url(`page=${page + 1}&size=20`) } } : {},
        page: { size: 20, totalElements: 57, totalPages: pages, number: page },
      }),
    [0, 20],
  ),
  Elasticsearch: {
    ...byOffset('from', ({ items: hits }) =>
      body({ took: 3, timed_out: false, hits: { total: { value: 57, relation: 'eq' }, hits } }),
    ),
    isUnreadable: true,
  },
  Solr: byOffset('start', ({ items: docs, from }) => body({ response: { numFound: 57, start: from, docs } })),
  Zendesk: byPage('page', ({ items: documents, more }, at) =>
    body({ documents, count: 57, next_page: more ? url(`page=${at + 1}`) : null, previous_page: null }),
  ),
  Jira: byOffset('startAt', ({ items: issues, from }) =>
    body({ expand: 'x', startAt: from, maxResults: 20, total: 57, issues }),
  ),
  Confluence: byOffset('start', ({ items: results, from, more, next }) =>
    body({
      results,
      start: from,
      limit: 20,
      size: results.length,
      _links: { base: 'https://docshare.test', ...(more ? { next: `${LIST}?limit=20&start=${next}` } : {}) },
    }),
  ),
  'Box offset': byOffset('offset', ({ items: entries, from }) =>
    body({ total_count: 57, entries, offset: from, limit: 20 }),
  ),
  Pipedrive: byOffset('start', ({ items: data, from, more, next }) =>
    body({
      success: true,
      data,
      additional_data: {
        pagination: { start: from, limit: 20, more_items_in_collection: more, ...(more ? { next_start: next } : {}) },
      },
    }),
  ),
  PayPal: byPage('page', ({ items: documents, more }, at) =>
    body({
      documents,
      total_items: 57,
      total_pages: pages,
      links: [
        { rel: 'self', href: url(`page=${at}`) },
        ...(more ? [{ rel: 'next', href: url(`page=${at + 1}`) }] : []),
      ],
    }),
  ),
  'Django page': byPage('page', ({ items: results, more }, at) =>
    body({ count: 57, next: more ? url(`page=${at + 1}`) : null, previous: null, results }),
  ),
  'Django offset': byOffset('offset', ({ items: results, more, next }) =>
    body({ count: 57, next: more ? url(`limit=20&offset=${next}`) : null, previous: null, results }),
  ),
  'Laravel resources': byPage('page', ({ items: data, from, more }, at) =>
    body({
      data,
      links: { first: url('page=1'), last: url('page=3'), prev: null, next: more ? url(`page=${at + 1}`) : null },
      meta: { current_page: at, from: from + 1, last_page: pages, per_page: 20, to: from + 20, total: 57, path: 'x' },
    }),
  ),
  'Laravel simple': byPage('page', ({ items: data, from, more }, at) =>
    body({
      current_page: at,
      data,
      from: from + 1,
      next_page_url: more ? url(`page=${at + 1}`) : null,
      path: 'x',
      per_page: 20,
      prev_page_url: null,
      to: from + data.length,
    }),
  ),
  Strapi: byPage('pagination[page]', ({ items: data }, page) =>
    body({ data, meta: { pagination: { page, pageSize: 20, pageCount: pages, total: 57 } } }),
  ),
  Directus: byPage('page', ({ items: data }) => body({ data }), [1, 50]),
  Contentful: byOffset('skip', ({ items, from }) =>
    body({ sys: { type: 'Array' }, total: 57, skip: from, limit: 20, items }),
  ),
  Cloudflare: byPage('page', ({ items: result }, page) =>
    body({
      success: true,
      errors: [],
      result,
      result_info: { page, per_page: 20, count: result.length, total_count: 57, total_pages: pages },
    }),
  ),
  Zoho: byPage('page', ({ items: data, more }, page) =>
    body({ data, info: { per_page: 20, count: data.length, page, more_records: more } }),
  ),
  Vimeo: byPage('page', ({ items: data, more }, page) =>
    body({
      total: 57,
      page,
      per_page: 20,
      paging: { next: more ? `${LIST}?page=${page + 1}` : null, previous: null },
      data,
    }),
  ),
  Spotify: byOffset('offset', ({ items, from, more, next }) =>
    body({
      href: url(''),
      items,
      limit: 20,
      next: more ? url(`offset=${next}&limit=20`) : null,
      offset: from,
      previous: null,
      total: 57,
    }),
  ),
  Meilisearch: byOffset('offset', ({ items: results, from }) => body({ results, offset: from, limit: 20, total: 57 })),
  Typesense: byPage('page', ({ items: hits }, page) => body({ found: 57, out_of: 57, page, hits })),
  CouchDB: byOffset('skip', ({ items: rows, from }) => body({ total_rows: 57, offset: from, rows })),
  ServiceNow: byOffset('sysparm_offset', (page) => ({
    ...link(`sysparm_offset=${page.next}`, page, { result: page.items }),
  })),
};
