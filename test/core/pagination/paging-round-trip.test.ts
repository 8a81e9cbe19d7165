/** A rendered pagination scheme is detected again: the client requests the next page exactly as the scheme says. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLimiter, defineClient } from '../../../src/index.ts';
import { detect } from '../../../src/pagination/detect.ts';
import { findItems } from '../../../src/pagination/find-items.ts';
import type { PagingScheme } from '../../../src/profile/paging-scheme.ts';
import { renderPage } from '../../support/render-scheme.ts';
import { texts } from '../texts.ts';

const ENTRIES = Array.from({ length: 57 }, (_, at) => ({ id: `d${at}` }));
const PATH = '/api/v1/documents';
const size = { default: 20, param: 'limit' };

const SCHEMES: Readonly<Record<string, PagingScheme>> = {
  'a cursor': { at: ['data'], next: { by: 'cursor', at: ['next_cursor'], params: ['cursor'] }, size },
  'a cursor in an object': {
    at: ['items'],
    next: { by: 'cursor', at: ['meta', 'nextPageToken'], params: ['pageToken'] },
    size,
  },
  'a cursor in a header': { at: [], next: { by: 'cursor', header: 'x-next-cursor', params: ['cursor'] }, size },
  'a URL': { at: ['results'], next: { by: 'url', at: ['next'], params: ['cursor'] }, size },
  'a HAL link': {
    at: ['_embedded', 'documents'],
    next: { by: 'url', at: ['_links', 'next', 'href'], params: ['cursor'] },
    size,
  },
  'a Link header': { at: [], next: { by: 'url', header: 'link', params: ['cursor'] }, size },
  'pages from 1 and a total': {
    at: ['data'],
    next: { by: 'page', at: ['page'], params: ['page'], first: 1 },
    total: ['total'],
    size,
  },
  'pages from 0 and has_more': {
    at: ['data'],
    next: { by: 'page', at: ['meta', 'page'], params: ['page'], first: 0 },
    more: { at: ['meta', 'has_more'], means: true },
    size,
  },
  'an offset and a total': {
    at: ['data'],
    next: { by: 'offset', at: ['offset'], params: ['offset'], first: 0 },
    total: ['total_count'],
    size,
  },
  [texts.theIdOfTheLast]: {
    at: ['data'],
    next: { by: 'after-id', params: ['starting_after'] },
    more: { at: ['has_more'], means: true },
    size,
  },
};

const KINDS = { cursor: 'cursor', url: 'link', page: 'page', offset: 'offset', 'after-id': 'after-id' };

test.each(Object.entries(SCHEMES))('%s: the client requests the next page', async (_, scheme) => {
  const requests: string[] = [];
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter({ requests: 1000 }),
    transport: async ({ url }) => {
      const { searchParams: query, search } = new URL(url);
      requests.push(search);
      // The service silently caps its pages.
      query.delete('limit');
      const { body, headers } = renderPage(scheme, ENTRIES, { query, path: PATH });
      return { status: 200, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
    },
  });
  const first = await client.documents.list();
  const { next } = scheme;
  if (!next || next.by === 'none') throw new Error('no such scheme');
  expect(first.cursor?.explicit).toBe(true);
  expect(first.cursor?.steps[0]).toMatchObject({ by: KINDS[next.by] });
  expect(Object.keys(first.cursor?.steps[0]?.query ?? {})).toContain(next.params[0]);
  expect(first.total).toBe(scheme.total && ENTRIES.length);
  expect(await client.documents.list().collect()).toEqual(ENTRIES);
  // The first page is requested twice, every other page once.
  expect(requests).toHaveLength(1 + 3);
});

test.each(Object.entries(SCHEMES))('%s: the detected fields of a page match the scheme', (_, scheme) => {
  const query = new URLSearchParams();
  const { body, headers } = renderPage(scheme, ENTRIES, { query, path: PATH });
  const found = findItems(body, 'documents');
  const request = { listUrl: new URL(`https://docshare.test${PATH}`), query, basePath: '/api/v1', pathParams: {} };
  const signs = detect(found?.around ?? [], { headers, request, resource: 'documents' });
  expect(found?.items).toEqual(ENTRIES.slice(0, 20));
  expect(signs.more).toBe(scheme.more && true);
  expect(signs.total).toBe(scheme.total && ENTRIES.length);
  const { by, first } = scheme.next ?? {};
  if (by === 'page' || by === 'offset') expect(signs[by]?.at).toBe(first);
  else if (by !== 'after-id') expect(signs.next[0]?.by).toBe(by === 'url' ? 'link' : by);
});
