import type { NextPageScheme } from '../../src/profile/paging-scheme.ts';
import { definePresets } from './paging-preset.ts';

const byCursor = (param: string, at: string[]): NextPageScheme => ({ by: 'cursor', at, params: [param] });
const byUrl = (param: string, at: string[]): NextPageScheme => ({ by: 'url', at, params: [param] });
const byLinkHeader = (param: string): NextPageScheme => ({ by: 'url', header: 'link', params: [param] });
const BY_PAGE: NextPageScheme = { by: 'page', params: ['page'] };

/** Presets that name the next page by a header, URL or cursor. */
export const CURSOR_PRESETS = definePresets({
  'link-header': { description: 'a `Link` header', next: byLinkHeader('cursor') },
  'link-header-relative': {
    description: 'a `Link` header with a relative URL and other relations',
    next: byLinkHeader('page'),
    position: 'page',
    headers: { link: ['<{firstPath}>; rel="first"', '<{nextPath}>; title="a, b"; rel="next"'] },
  },
  'link-header-path': {
    description: 'a `Link` header with the page in its path',
    next: byLinkHeader('/'),
    position: 'path',
    headers: { link: ['<{nextUrl}>; rel=next'] },
  },
  'header-total': {
    description: '`X-Total-Count` alone, requested with `page`',
    next: BY_PAGE,
    headers: { 'x-total-count': ['{total}'] },
    extra: 1,
  },
  'header-next-page': {
    description: '`X-Next-Page`, empty at the end',
    next: { ...BY_PAGE, header: 'x-next-page' },
    atEnd: 'empty',
    headers: { 'x-page': ['{page}'] },
  },
  'header-pages': {
    description: '`X-Page` and `X-Total-Pages`',
    next: BY_PAGE,
    headers: { 'x-page': ['{page}'], 'x-total-pages': ['{pages}'] },
  },
  'header-next-cursor': {
    description: '`X-Next-Cursor`',
    next: { by: 'cursor', header: 'x-next-cursor', params: ['cursor'] },
  },
  'header-json': {
    description: 'a JSON header `X-Pagination`',
    next: BY_PAGE,
    headers: { 'x-pagination': ['{"CurrentPage":{page},"TotalPages":{pages},"TotalCount":{total}}'] },
  },
  'content-range': {
    description: '`Content-Range: items 0-24/57`',
    next: { by: 'offset', params: ['offset'] },
    headers: { 'content-range': ['items {offset}-{lastIndex}/{total}'] },
  },
  'json-api': {
    description: '`links.next` with `page[number]`',
    next: byUrl('page[number]', ['links', 'next']),
    position: 'page',
    sizeParam: 'page[size]',
    isFixed: true,
    extras: { links: { self: '{self}' } },
  },
  odata: {
    description: '`@odata.nextLink` with `$skip`',
    next: byUrl('$skip', ['@odata.nextLink']),
    position: 'offset',
    sizeParam: '$top',
    isFixed: true,
    atEnd: 'omitted',
    total: ['@odata.count'],
  },
  hal: {
    description: '`_links.next.href`',
    next: byUrl('page', ['_links', 'next', 'href']),
    position: 'page',
    isFixed: true,
    atEnd: 'omitted',
    extras: { _links: { self: { href: '{self}' } } },
  },
  'link-list': {
    description: 'a list of links with `rel`',
    next: { by: 'url', params: ['page'] },
    position: 'page',
    isFixed: true,
    extras: {
      links: [
        { rel: 'self', href: '{self}' },
        { rel: 'next', href: '{nextUrl}' },
      ],
    },
  },
  'next-query': {
    description: 'only the query as `next`',
    next: byUrl('page', ['next']),
    position: 'page',
    extras: { next: '{nextQuery}' },
  },
  'page-info': {
    description: '`page_info` with `has_next_page` and `end_cursor`',
    next: byCursor('after', ['page_info', 'end_cursor']),
    isFixed: true,
    atEnd: 'same',
    more: { at: ['page_info', 'has_next_page'], means: true },
  },
  'next-token': { description: '`next_token`', next: byCursor('next_token', ['next_token']), atEnd: 'omitted' },
  marker: {
    description: '`is_truncated`, `next_marker`',
    next: byCursor('marker', ['next_marker']),
    atEnd: 'omitted',
    more: { at: ['is_truncated'], means: true },
  },
  'search-after': {
    description: '`search_after`',
    next: { by: 'cursor', params: ['search_after'] },
    total: ['total'],
    extras: { search_after: '{nextCursors}' },
  },
  'response-metadata': {
    description: '`response_metadata.next_cursor`, empty at the end',
    next: byCursor('cursor', ['response_metadata', 'next_cursor']),
    isFixed: true,
    atEnd: 'empty',
    extras: { ok: true },
  },
  'paging-next-after': {
    description: '`paging.next.after`',
    next: byCursor('after', ['paging', 'next', 'after']),
    isFixed: true,
    atEnd: 'omitted',
  },
  bookmark: {
    description: '`bookmark`, also on the last page',
    next: byCursor('bookmark', ['bookmark']),
    atEnd: 'same',
    extra: 1,
  },
  continuation: { description: '`continuation`', next: byCursor('continuation', ['continuation']) },
  'scroll-id': {
    description: '`scroll_id`, also on the last page',
    next: byCursor('scroll_id', ['scroll_id']),
    atEnd: 'same',
    extra: 1,
  },
  'bare-cursor': { description: '`cursor`', next: byCursor('cursor', ['cursor']) },
});
