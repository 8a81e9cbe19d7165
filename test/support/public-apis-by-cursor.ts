/** Public APIs that page by a cursor or by the ID of the last entry, according to their documentation. */
import { body, byCursor, byId, cut, LIST, link, number, pages, type Row, url } from './public-api.ts';

export const BY_CURSOR: Readonly<Record<string, Row>> = {
  Stripe: byId('starting_after', ({ items: data, more }) =>
    body({ object: 'list', url: '/v1/documents', has_more: more, data }),
  ),
  'GitHub users': byId('since', (page) => link(`since=d${page.next - 1}`, page, page.items)),
  Okta: byCursor('after', (page) => link(`after=c${page.next}&limit=20`, page, page.items)),
  Sentry: byCursor('cursor', (page) => ({
    body: page.items,
    headers: { link: `<${url(`cursor=c${page.next}`)}>; rel="next"; results="${page.more}"; cursor="c"` },
  })),
  Notion: byCursor('start_cursor', ({ items: results, more, next }) =>
    body({ object: 'list', results, has_more: more, next_cursor: more ? `c${next}` : null }),
  ),
  'HubSpot v3': byCursor('after', ({ items: results, more, next }) =>
    body({ results, ...(more ? { paging: { next: { after: `${next}`, link: url(`after=${next}`) } } } : {}) }),
  ),
  'Shopify REST': {
    ...byCursor('page_info', (page) => link(`limit=20&page_info=c${page.next}`, page, { documents: page.items })),
    input: { status: 'any' },
    params: ['page_info', 'limit', 'status'],
  },
  'Shopify GraphQL': byCursor('after', ({ items, more, next }) =>
    body({
      edges: items.map((node) => ({ node, cursor: 'x' })),
      pageInfo: { hasNextPage: more, endCursor: `c${next}` },
    }),
  ),
  Slack: byCursor('cursor', ({ items: documents, more, next }) =>
    body({ ok: true, documents, response_metadata: { next_cursor: more ? `c${next}` : '' } }),
  ),
  'Algolia browse': byCursor('cursor', ({ items: hits, more, next }) =>
    body({ hits, nbHits: 57, ...(more ? { cursor: `c${next}` } : {}) }),
  ),
  'OData v2': byCursor('$skiptoken', ({ items: results, more, next }) =>
    body({ d: { results, ...(more ? { __next: url(`$skiptoken=c${next}`) } : {}) } }),
  ),
  'Azure Resource Manager': byCursor('$skiptoken', ({ items: value, more, next }) =>
    body({ value, ...(more ? { nextLink: url(`$skiptoken=c${next}`) } : {}) }),
  ),
  'Azure DevOps': byCursor('continuationToken', ({ items: value, more, next }) => ({
    body: { count: value.length, value },
    headers: more ? { 'x-ms-continuationtoken': `c${next}` } : {},
  })),
  'Azure Cosmos': byCursor('continuation-token', ({ items: documents, more, next }) => ({
    body: { documents, _count: documents.length },
    headers: more ? { 'x-ms-continuation-token': `c${next}` } : {},
  })),
  Klaviyo: byCursor('page[cursor]', ({ items: data, more, next }) =>
    body({ data, links: { self: url(''), next: more ? url(`page[cursor]=c${next}`) : null, prev: null } }),
  ),
  'Zendesk cursor': byCursor('page[after]', ({ items: documents, more, next }) =>
    body({
      documents,
      meta: { has_more: more, after_cursor: `c${next}`, before_cursor: 'c0' },
      links: { next: more ? url(`page[after]=c${next}`) : null, prev: null },
    }),
  ),
  'Jira v3': byCursor('nextPageToken', ({ items: issues, more, next }) =>
    body({ issues, isLast: !more, ...(more ? { nextPageToken: `c${next}` } : {}) }),
  ),
  Google: byCursor('pageToken', ({ items, more, next }) =>
    body({ kind: 'x#list', items, ...(more ? { nextPageToken: `c${next}` } : {}) }),
  ),
  YouTube: byCursor('pageToken', ({ items, more, next }) =>
    body({ ...(more ? { nextPageToken: `c${next}` } : {}), pageInfo: { totalResults: 57, resultsPerPage: 20 }, items }),
  ),
  'AWS NextToken': byCursor('NextToken', ({ items: Items, more, next }) =>
    body({ Items, ...(more ? { NextToken: `c${next}` } : {}) }),
  ),
  'AWS S3': byCursor('continuation-token', ({ items: Contents, more, next }) =>
    body({
      IsTruncated: more,
      KeyCount: Contents.length,
      Contents,
      ...(more ? { NextContinuationToken: `c${next}` } : {}),
    }),
  ),
  'AWS DynamoDB': {
    ...byCursor('x', ({ items: Items, more }) =>
      body({ Items, Count: Items.length, ...(more ? { LastEvaluatedKey: { id: { S: 'd19' } } } : {}) }),
    ),
    isUnreadable: true,
  },
  Dropbox: {
    params: ['cursor', 'path'],
    input: { path: 'x' },
    respond: (query) => {
      // The cursor replaces all other parameters.
      if (query.has('cursor') && query.has('path')) return { status: 400, body: { error: 'path' } };
      const { items: entries, more, next } = cut(number(query.get('cursor'), 0), 20);
      return body({ entries, cursor: `c${next}`, has_more: more });
    },
  },
  'Box marker': byCursor('marker', ({ items: entries, more, next }) =>
    body({ entries, limit: 20, next_marker: more ? `c${next}` : '' }),
  ),
  Asana: byCursor('offset', ({ items: data, more, next }) =>
    body({
      data,
      next_page: more ? { offset: `e${next}`, path: `/documents?offset=e${next}`, uri: url(`offset=e${next}`) } : null,
    }),
  ),
  Airtable: byCursor('offset', ({ items: records, more, next }) =>
    body({ records, ...(more ? { offset: `itr/${next}` } : {}) }),
  ),
  Discord: byId('after', ({ items }) => body(items), 50),
  Twilio: byCursor('PageToken', ({ items: documents, from, more, next }) =>
    body({
      documents,
      page: from / 20,
      page_size: 20,
      uri: LIST,
      next_page_uri: more ? `${LIST}?PageSize=20&Page=${next / 20}&PageToken=c${next}` : null,
    }),
  ),
  Salesforce: {
    ...byCursor('x', ({ items: records, more }) =>
      body({ totalSize: 57, done: !more, ...(more ? { nextRecordsUrl: '/query/01g-20' } : {}), records }),
    ),
    isUnreadable: true,
  },
  Intercom: byCursor('starting_after', ({ items: data, from, more, next }) =>
    body({
      type: 'list',
      data,
      total_count: 57,
      pages: {
        type: 'pages',
        page: from / 20 + 1,
        per_page: 20,
        total_pages: pages,
        next: more ? { page: next / 20 + 1, starting_after: `c${next}` } : null,
      },
    }),
  ),
  Facebook: byCursor('after', ({ items: data, more, next }) =>
    body({
      data,
      // The last page has a cursor, but no next URL.
      paging: { cursors: { before: 'c0', after: `c${next}` }, ...(more ? { next: url(`after=c${next}`) } : {}) },
    }),
  ),
  X: byCursor('pagination_token', ({ items: data, more, next }) =>
    body({ data, meta: { result_count: data.length, ...(more ? { next_token: `c${next}` } : {}) } }),
  ),
  Square: byCursor('cursor', ({ items: documents, more, next }) =>
    body({ documents, ...(more ? { cursor: `c${next}` } : {}) }),
  ),
  FHIR: byCursor('_page', ({ items: entry, more, next }) =>
    body({
      resourceType: 'Bundle',
      total: 57,
      link: [{ relation: 'self', url: url('') }, ...(more ? [{ relation: 'next', url: url(`_page=c${next}`) }] : [])],
      entry,
    }),
  ),
  Kubernetes: byCursor('continue', ({ items, more, next }) =>
    body({ kind: 'List', metadata: more ? { continue: `c${next}`, remainingItemCount: 57 - next } : {}, items }),
  ),
  Chargebee: byCursor('offset', ({ items: list, more, next }) =>
    body({ list, ...(more ? { next_offset: `e${next}` } : {}) }),
  ),
  Reddit: byCursor('after', ({ items: children, more, next }) =>
    body({ kind: 'Listing', data: { after: more ? `c${next}` : null, dist: children.length, children } }),
  ),
  Calendly: byCursor('page_token', ({ items: collection, more, next }) =>
    body({
      collection,
      pagination: {
        count: collection.length,
        next_page: more ? url(`page_token=c${next}`) : null,
        next_page_token: more ? `c${next}` : null,
      },
    }),
  ),
  Front: byCursor('page_token', ({ items: _results, more, next }) =>
    body({ _pagination: { next: more ? url(`page_token=c${next}`) : null }, _results }),
  ),
  Gorgias: byCursor('cursor', ({ items: data, more, next }) =>
    body({ object: 'list', data, meta: { next_cursor: more ? `c${next}` : null, prev_cursor: null } }),
  ),
  Heroku: {
    params: [],
    respond: () => ({ status: 206, body: cut(0, 20).items, headers: { 'next-range': 'id d20..; max=20' } }),
    isUnreadable: true,
  },
};
