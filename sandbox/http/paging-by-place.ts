import { type Cut, nextPage, only, page, pages, pagingStyles } from './paging-style.ts';

const cursor = (cut: Cut) => (cut.more ? cut.cursor : null);

/** Services that name the next place: by a header, an address or a cursor. */
export const BY_PLACE = pagingStyles({
  'link-header': {
    words: 'a `Link` header',
    counts: 'cursor',
    param: 'cursor',
    headers: (cut): Record<string, string> =>
      cut.more ? { link: `<${cut.address({ cursor: cut.cursor })}>; rel="next"` } : {},
  },
  'link-header-relative': {
    words: 'a `Link` header with an address without origin, and other relations',
    counts: 'page',
    param: 'page',
    headers: (cut) => ({
      link: [
        `<${cut.address({ page: 1 }, 'relative')}>; rel="first"`,
        ...(cut.more
          ? [`<${cut.address({ page: page(cut) + 1 }, 'relative')}>; title="a, b"; rel="next"`]
          : []),
      ].join(', '),
    }),
  },
  'link-header-path': {
    words: 'a `Link` header with the page in its path',
    counts: 'path',
    param: 'page',
    headers: (cut): Record<string, string> =>
      cut.more ? { link: `<${cut.address({ '/': page(cut) + 1 })}>; rel=next` } : {},
  },
  'header-total': {
    words: '`X-Total-Count` alone, asked for by `page`',
    counts: 'page',
    param: 'page',
    headers: ({ total }) => ({ 'x-total-count': `${total}` }),
    extra: 1,
  },
  'header-next-page': {
    words: '`X-Next-Page`, empty at the end',
    counts: 'page',
    param: 'page',
    headers: (cut) => ({ 'x-page': `${page(cut)}`, 'x-next-page': cut.more ? `${page(cut) + 1}` : '' }),
  },
  'header-pages': {
    words: '`X-Page` and `X-Total-Pages`',
    counts: 'page',
    param: 'page',
    headers: (cut) => ({ 'x-page': `${page(cut)}`, 'x-total-pages': `${pages(cut)}` }),
  },
  'header-next-cursor': {
    words: '`X-Next-Cursor`',
    counts: 'cursor',
    param: 'cursor',
    headers: (cut): Record<string, string> => (cut.more ? { 'x-next-cursor': cut.cursor } : {}),
  },
  'header-json': {
    words: 'a JSON header `X-Pagination`',
    counts: 'page',
    param: 'page',
    headers: (cut) => ({
      'x-pagination': JSON.stringify({
        CurrentPage: page(cut),
        TotalPages: pages(cut),
        TotalCount: cut.total,
      }),
    }),
  },
  'content-range': {
    words: '`Content-Range: items 0-24/57`',
    counts: 'offset',
    param: 'offset',
    headers: ({ from, size, total }) => ({
      'content-range': `items ${from}-${Math.min(total, from + size) - 1}/${total}`,
    }),
  },
  'json-api': {
    words: '`links.next` with `page[number]`',
    counts: 'page',
    param: 'page[number]',
    sizes: ['page[size]'],
    fixed: (cut) => ({
      links: {
        self: cut.address({}),
        next: cut.more ? cut.address({ 'page[number]': page(cut) + 1 }) : null,
      },
    }),
  },
  odata: {
    words: '`@odata.nextLink` with `$skip`',
    counts: 'offset',
    param: '$skip',
    sizes: ['$top'],
    fixed: (cut) => ({
      '@odata.count': cut.total,
      ...only(cut, { '@odata.nextLink': cut.address({ $skip: cut.from + cut.size }) }),
    }),
  },
  hal: {
    words: '`_links.next.href`',
    counts: 'page',
    param: 'page',
    fixed: (cut) => ({
      _links: { self: { href: cut.address({}) }, ...only(cut, { next: { href: nextPage(cut) } }) },
    }),
  },
  'link-list': {
    words: 'a list of links with `rel`',
    counts: 'page',
    param: 'page',
    fixed: (cut) => ({
      links: [
        { rel: 'self', href: cut.address({}) },
        ...(cut.more ? [{ rel: 'next', href: nextPage(cut) }] : []),
      ],
    }),
  },
  'next-query': {
    words: 'the query alone as `next`',
    counts: 'page',
    param: 'page',
    fields: (cut) => ({ next: cut.more ? cut.address({ page: page(cut) + 1 }, 'query') : null }),
  },
  'page-info': {
    words: '`page_info` with `has_next_page` and `end_cursor`',
    counts: 'cursor',
    param: 'after',
    fixed: (cut) => ({ page_info: { has_next_page: cut.more, end_cursor: cut.cursor } }),
  },
  'next-token': {
    words: '`next_token`',
    counts: 'cursor',
    param: 'next_token',
    fields: (cut) => only(cut, { next_token: cut.cursor }),
  },
  marker: {
    words: '`is_truncated`, `next_marker`',
    counts: 'cursor',
    param: 'marker',
    fields: (cut) => ({ is_truncated: cut.more, ...only(cut, { next_marker: cut.cursor }) }),
  },
  'search-after': {
    words: '`search_after`',
    counts: 'cursor',
    param: 'search_after',
    fields: (cut) => ({ total: cut.total, search_after: cut.more ? [cut.cursor] : null }),
  },
  'response-metadata': {
    words: '`response_metadata.next_cursor`, empty at the end',
    counts: 'cursor',
    param: 'cursor',
    fixed: (cut) => ({ ok: true, response_metadata: { next_cursor: cut.more ? cut.cursor : '' } }),
  },
  'paging-next-after': {
    words: '`paging.next.after`',
    counts: 'cursor',
    param: 'after',
    fixed: (cut) => only(cut, { paging: { next: { after: cut.cursor } } }),
  },
  bookmark: {
    words: '`bookmark`, also on the last page',
    counts: 'cursor',
    param: 'bookmark',
    fields: (cut) => ({ bookmark: cut.cursor }),
    extra: 1,
  },
  continuation: {
    words: '`continuation`',
    counts: 'cursor',
    param: 'continuation',
    fields: (cut) => ({ continuation: cursor(cut) }),
  },
  'scroll-id': {
    words: '`scroll_id`, also on the last page',
    counts: 'cursor',
    param: 'scroll_id',
    fields: (cut) => ({ scroll_id: cut.cursor }),
    extra: 1,
  },
  'bare-cursor': {
    words: '`cursor`',
    counts: 'cursor',
    param: 'cursor',
    fields: (cut) => ({ cursor: cursor(cut) }),
  },
});
