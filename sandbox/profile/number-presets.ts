import type { NextPageScheme } from '../../src/profile/paging-scheme.ts';
import { definePresets } from './paging-preset.ts';

const byPage = (param = 'page'): NextPageScheme => ({ by: 'page', params: [param] });
const byPageFrom0 = (param = 'page'): NextPageScheme => ({ by: 'page', params: [param], first: 0 });
const byOffset = (param = 'offset'): NextPageScheme => ({ by: 'offset', params: [param] });
const HAS_MORE = { at: ['has_more'], means: true };

/** Presets that number pages or entries in the response, or tell only whether there are more. */
export const NUMBER_PRESETS = definePresets({
  page: {
    description: '`page`, `per_page`, `total`, `total_pages`',
    next: byPage(),
    total: ['total'],
    extras: { page: '{page}', per_page: '{size}', total_pages: '{pages}' },
  },
  offset: {
    description: '`offset`, `limit`, `total`',
    next: byOffset(),
    total: ['total'],
    extras: { offset: '{offset}', limit: '{size}' },
  },
  'next-url': {
    description: '`count` and the URL `next`',
    next: { by: 'url', at: ['next'], params: ['page'] },
    position: 'page',
    total: ['count'],
    extras: { previous: null },
  },
  'page-total': {
    description: '`page`, `page_size`, `total_count`',
    next: byPage(),
    total: ['total_count'],
    extras: { page: '{page}', page_size: '{size}' },
  },
  'page-text': {
    description: 'numbers as strings',
    next: byPage(),
    extras: { page: '{page:text}', limit: '{size:text}', total: '{total:text}' },
  },
  'page-from-0': {
    description: '`number` from 0, `total_pages`, `last`',
    next: byPageFrom0(),
    sizeParam: 'size',
    total: ['total_elements'],
    more: { at: ['last'], means: false },
    extras: { number: '{page}', size: '{size}', total_pages: '{pages}', first: '{isFirst}' },
  },
  'page-from-0-total': {
    description: '`page` from 0, `size`, `total`',
    next: byPageFrom0(),
    total: ['total'],
    extras: { page: '{page}', size: '{size}' },
  },
  hits: {
    description: '`page` from 0, `nb_pages`, `nb_hits`',
    next: byPageFrom0(),
    total: ['nb_hits'],
    extras: { page: '{page}', nb_pages: '{pages}', hits_per_page: '{size}' },
  },
  'page-object': {
    description: 'an object `page` with `number` and `total_pages`',
    next: byPage(),
    isFixed: true,
    extras: { page: { number: '{page}', size: '{size}', total_pages: '{pages}' } },
  },
  'page-brackets': {
    description: 'an object `page` with `number` and `total_pages`, requested as `page[number]`',
    next: byPage('page[number]'),
    sizeParam: 'page[size]',
    isFixed: true,
    extras: { page: { number: '{page}', size: '{size}', total_pages: '{pages}' } },
    extra: 1,
  },
  'current-page': {
    description: '`current_page`, `last_page`, `next_page_url`',
    next: { by: 'url', at: ['next_page_url'], params: ['page'] },
    position: 'page',
    total: ['total'],
    extras: { current_page: '{page}', last_page: '{pages}', from: '{from}', to: '{to}' },
  },
  'page-index': {
    description: '`page_index`, `page_count`',
    next: byPageFrom0('page_index'),
    extras: { page_index: '{page}', page_count: '{pages}' },
  },
  'page-more': { description: '`page` and `has_more`', next: byPage(), more: HAS_MORE, extras: { page: '{page}' } },
  'page-alone': {
    description: '`page` and `per_page`, but nothing that marks the last page',
    next: byPage(),
    extras: { page: '{page}', per_page: '{size}' },
    extra: 1,
  },
  'more-page': { description: '`has_more` alone, requested with `page`', next: byPage(), more: HAS_MORE, extra: 2 },
  'more-page-from-0': {
    description: '`has_more` alone, requested with `page` from 0',
    next: byPageFrom0(),
    more: HAS_MORE,
    extra: 1,
  },
  'more-offset': {
    description: '`has_more` alone, requested with `offset`',
    next: byOffset(),
    more: HAS_MORE,
    extra: 3,
  },
  'more-id': {
    description: '`has_more`, requested with `starting_after`',
    next: { by: 'after-id', params: ['starting_after'] },
    more: HAS_MORE,
  },
  'more-last-id': {
    description: '`has_more`, `last_id`, requested with `after`',
    next: { by: 'after-id', at: ['last_id'], params: ['after'] },
    atEnd: 'same',
    more: HAS_MORE,
  },
  'skip-take': {
    description: '`skip`, `take`, `total`',
    next: byOffset('skip'),
    sizeParam: 'take',
    total: ['total'],
    extras: { skip: '{offset}', take: '{size}' },
  },
  'start-at': {
    description: '`start_at`, `max_results`, `total`',
    next: byOffset('start_at'),
    sizeParam: 'max_results',
    total: ['total'],
    extras: { start_at: '{offset}', max_results: '{size}' },
  },
  'start-index': {
    description: '`start_index` from 1, `items_per_page`, `total_results`',
    next: { ...byOffset('start_index'), first: 1 },
    total: ['total_results'],
    extras: { start_index: '{offset}', items_per_page: '{size}' },
  },
  'offset-more': {
    description: '`offset` and `has_more`',
    next: byOffset(),
    more: HAS_MORE,
    extras: { offset: '{offset}' },
  },
  'next-offset': { description: '`next_offset`', next: { ...byOffset(), at: ['next_offset'] } },
  'next-page': { description: '`next_page`', next: { ...byPage(), at: ['next_page'] } },
  'total-page': { description: '`total` alone, requested with `page`', next: byPage(), total: ['total'], extra: 1 },
  'total-offset': {
    description: '`total` alone, requested with `offset`',
    next: byOffset(),
    total: ['total'],
    extra: 2,
  },
  'pages-alone': {
    description: '`total_pages` alone, requested with `page`',
    next: byPage(),
    extras: { total_pages: '{pages}' },
    extra: 1,
  },
});
