import { deflateRawSync } from 'node:zlib';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { createSandbox, PROFILE_NAMES } from '../../../sandbox/index.ts';
import { createClient } from '../../../src/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { type Json, openHostOnSandbox, openHostOnService, readList } from '../../support/mcp-host.ts';
import { texts } from '../texts.ts';

const itemsOf = (data: Json) => data['items'] as Json[];

const packed = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString('base64url');

/** Cursors pass through a model and a host, so any value can come back. */
test.each<[string, string]>([
  ['a position before the first item', packed([{}, -1])],
  ['a query that is not an object', packed(['page', 0])],
  ['a filter without criteria', packed([{}, 0, null, { criteria: {}, by: 'server' }])],
  ['a filter of unknown criteria', packed([{}, 0, null, { criteria: { match: 'x', password: 'x' }, by: 'server' }])],
  ['a filter by an unknown party', packed([{}, 0, null, { criteria: { match: 'x' }, by: 'me' }])],
  ['a decompression bomb', packed([{ x: 'x'.repeat(10_000_000) }, 0])],
  ['uncompressed text', 'not-a-cursor'],
  ...['x', 'W10', '!!', Buffer.from('{"a":1}').toString('base64url')].map((text): [string, string] => [text, text]),
])('%s is rejected as a cursor before any request', async (_, cursor) => {
  const host = await openHostOnService(() => ({ json: [] }));
  const message = expect.stringContaining('cursor: invalid');
  expect((await host.call('list_links', { cursor })).error).toMatchObject({ code: 'invalid_arguments', message });
  expect(host.requests).toEqual([]);
});

test.each([{}, { criteria: { since: '2026-01-01' }, by: 'server', read: 5 }])(
  'a cursor with the filter %j continues the list',
  async (filter) => {
    const host = await openHostOnService(() => ({ json: [] }));
    const cursor = packed([{ page: '2' }, 0, null, ...('by' in filter ? [filter] : [])]);
    expect((await host.call('list_links', { cursor })).data).toMatchObject({ items: [] });
    expect(host.requests[0]).toMatchObject({ query: { page: '2' } });
  },
);

const many = Array.from({ length: 57 }, (_, index) => ({ id: `doc_${index}`, name: `Document ${index}` }));

describe('a list returns every item once', () => {
  test('from a service without limit and cursor', async () => {
    const host = await openHostOnService(() => ({ json: { data: many } }));
    const { ids, pages } = await readList(host, 'list_documents', { limit: 10 });
    expect(ids).toEqual(many.map(({ id }) => id));
    expect(pages).toHaveLength(6);
  });

  test('keeps its page boundaries if the limit changes between calls', async () => {
    const host = await openHostOnService(() => ({ json: { data: many } }));
    const { data } = await host.call('list_documents', { limit: 10 });
    const { data: rest } = await host.call('list_documents', { limit: 1, cursor: data['next_cursor'] });
    expect(itemsOf(rest)).toMatchObject([{ id: 'doc_10' }]);
    const [first, second] = host.requests.map(({ query }) => query);
    expect(second).toEqual(first);
  });

  test('from a service with smaller pages than the limit, and a link header', async () => {
    const host = await openHostOnService(({ query }) => {
      const page = Number(query.get('page') ?? 1);
      const next = page * 7 < many.length ? { link: `</api/v1/documents?page=${page + 1}>; rel="next"` } : {};
      return { json: many.slice((page - 1) * 7, page * 7), headers: next };
    });
    for (const limit of [20, 3])
      expect((await readList(host, 'list_documents', { limit })).ids).toEqual(many.map(({ id }) => id));
  });

  test('and repeats the query of the first call with the cursor', async () => {
    const host = await openHostOnService(({ query }) => {
      const start = Number(query.get('cursor') ?? 0);
      return { json: { items: many.slice(start, start + 20), next_cursor: start + 20 < 57 ? `${start + 20}` : null } };
    });
    await readList(host, 'list_documents', { query: { status: 'active', tag: ['a', 'b'] } });
    expect(host.requests.map(({ query }) => query)).toEqual([
      { status: 'active', tag: 'b' },
      // The request without the query checks once whether the service uses it.
      {},
      { status: 'active', tag: 'b', cursor: '20' },
      { status: 'active', tag: 'b', cursor: '40' },
    ]);
  });
});

test('a service that ignores its own cursor ends the list instead of repeating it', async () => {
  const host = await openHostOnService(() => ({ json: { items: many, next_cursor: 'again' } }));
  const { ids, pages } = await readList(host, 'list_documents');
  expect(ids).toEqual(many.map(({ id }) => id));
  expect(pages.map(({ data }) => data['complete'])).toEqual([undefined, false]);
  expect(pages[1]?.data).toMatchObject({ items: [], note: expect.stringContaining(texts.theSamePageAgain) });
});

test.each(PROFILE_NAMES)('with the sandbox as %s, lists, IDs and writes work in every format', async (profile) => {
  const sandbox = await closeAfterTest(createSandbox({ data: 'empty', profile }));
  const client = await closeAfterTest(createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url }));
  for (let index = 0; index < 9; index++)
    await client.contacts.create({ name: `Kim ${index}`, email: `k${index}@example.com` });
  const host = await openHostOnSandbox(sandbox);
  const { items, ids } = await readList(host, 'list_contacts', { limit: 4 });
  for (const item of items)
    expect(item).toMatchObject({ id: expect.stringMatching(/\S/), name: expect.stringMatching(/^Kim/) });
  expect([new Set(ids).size, ids.length]).toEqual([9, 9]);
  const { data } = await host.call('update_contact', { id: ids[0], fields: { name: 'Kim X' } });
  expect(data).toMatchObject({ done: true, id: ids[0] });
});

test('an item keeps undocumented plain fields, loses empty ones, and is complete on request', async () => {
  const item = {
    uuid: 'd1',
    title: 'Deck',
    colour: 'blue',
    pages: 12,
    nothing: null,
    blank: '',
    owner: { email: 'o@example.com', deep: { er: { x: 1 } } },
    viewers: Array.from({ length: 8 }, (_, index) => ({ email: `v${index}@example.com` })),
    text: 'x'.repeat(1000),
    thumbnail: 'https://cdn.example/x?X-Amz-Signature=abcdef0123456789',
    api_token: 'sk_live_1',
    signedAt: 1_794_787_200,
    last_viewed_at: '1794787200000',
    expires_at: 1_794_787_200,
    phone: '1794787200',
  };
  const host = await openHostOnService(() => ({ json: { documents: [item] } }));
  const { data, text } = await host.call('list_documents');
  const [brief = {}] = itemsOf(data);
  expect(brief).toMatchObject({ id: 'd1', name: 'Deck', colour: 'blue', pages: 12, owner: { email: 'o@example.com' } });
  // Times that callers can set keep the format of the service.
  const time = '2026-11-16T00:00:00.000Z';
  expect(brief).toMatchObject({ signedAt: time, last_viewed_at: time, expires_at: 1_794_787_200, phone: '1794787200' });
  expect(brief['viewers']).toHaveLength(6);
  expect(String(brief['text'])).toHaveLength(301);
  expect(Object.keys(brief)).not.toEqual(expect.arrayContaining(['nothing', 'blank', 'thumbnail']));
  expect(text).not.toMatch(/sk_live|abcdef0123456789/);
  const { data: whole } = await host.call('list_documents', { detail: 'full' });
  expect(itemsOf(whole)[0]).toMatchObject({ viewers: item.viewers, text: item.text, nothing: null });
});

describe('no result exceeds 20,000 tokens', () => {
  const kinds = {
    words: (index: number) => `The quarterly report number ${index} of the board of directors `.repeat(20),
    hanzi: () => '机密文件请勿外传'.repeat(60),
    emoji: () => '📄🔒✨'.repeat(80),
  };

  test.each(Object.keys(kinds) as (keyof typeof kinds)[])('%s: ends whole, and the cursor continues', async (kind) => {
    const items = Array.from({ length: 400 }, (_, index) => ({
      id: `d${index}`,
      name: `N${index}`,
      text: kinds[kind](index),
    }));
    const host = await openHostOnService(() => ({ json: { items } }));
    const { ids, pages } = await readList(host, 'list_documents', { detail: 'full' });
    for (const { data, text } of pages) {
      expect(encode(text).length).toBeLessThanOrEqual(20_000);
      expect(JSON.parse(text)).toEqual(data);
    }
    expect(ids).toEqual(items.map(({ id }) => id));
    expect(pages.some(({ data }) => typeof data['remaining'] === 'number')).toBe(true);
  });

  test('an object that is too large is shortened, and says so', async () => {
    const host = await openHostOnService(() => ({
      json: { id: 'd1', pages: Array.from({ length: 5000 }, (_, page) => ({ page, text: 'word '.repeat(50) })) },
    }));
    const { data, text } = await host.call('get_document', { id: 'd1' });
    expect(encode(text).length).toBeLessThanOrEqual(20_000);
    expect(data).toMatchObject({ id: 'd1', truncated: expect.any(String) });
  });

  test('a single item that is too large is returned shortened', async () => {
    const host = await openHostOnService(() => ({ json: [{ id: 'd1', text: 'word '.repeat(60_000) }, { id: 'd2' }] }));
    const { ids, pages } = await readList(host, 'list_documents', { detail: 'full' });
    for (const { text } of pages) expect(encode(text).length).toBeLessThanOrEqual(20_000);
    expect(ids).toEqual(['d1', 'd2']);
  });
});
