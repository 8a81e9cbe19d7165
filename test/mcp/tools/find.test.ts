import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { type Json, openHostOnSandbox, openHostOnService } from '../../support/mcp-host.ts';
import { texts } from '../texts.ts';

const itemsOf = (data: Json) => data['items'] as Json[];

test('searches all groups and returns the best matches first, with the next step', async () => {
  const lists: Record<string, Json[]> = {
    '/documents': [
      { id: 'd1', name: 'Our new Pricing' },
      { id: 'd2', name: 'Repricing' },
      { id: 'd3', name: 'Other' },
    ],
    '/links': [{ id: 'l1', url: 'https://x.example/pricing-2026', email_required: true }],
    '/rooms': [{ id: 'r1', title: 'PRICING' }],
    '/agreements': [{ id: 'a1', name: 'NDA', recipients: [{ email: 'pricing@example.com' }] }],
    '/proposals': [{ id: 'pricing', name: 'Something' }],
    '/templates': [{ id: 't1', name: 'Prícing terms' }],
    '/contacts': [{ id: 'c1', name: 'Ann', email: 'ann@pricing.example' }],
  };
  const host = await openHostOnService(({ path }) => ({ json: lists[path] ?? [] }));
  const { data } = await host.call('find', { text: 'pricing' });
  expect(itemsOf(data)).toEqual([
    { group: 'rooms', id: 'r1', name: 'PRICING' },
    { group: 'proposals', id: 'pricing', name: 'Something' },
    { group: 'agreements', id: 'a1', name: 'NDA', matched: 'recipients.email' },
    { group: 'templates', id: 't1', name: 'Prícing terms' },
    { group: 'documents', id: 'd1', name: 'Our new Pricing' },
    { group: 'links', id: 'l1', url: 'https://x.example/pricing-2026', email_required: true },
    { group: 'contacts', id: 'c1', name: 'Ann', email: 'ann@pricing.example' },
    { group: 'documents', id: 'd2', name: 'Repricing' },
  ]);
  expect(data['searched']).toMatchObject({ documents: 3 });
  expect(data['skipped']).toBeUndefined();
  expect(data['untrusted']).toContain('items.name');
  expect(host.requests).toHaveLength(7);

  const { data: short } = await host.call('find', { text: 'terms pricing', limit: 1 });
  expect(itemsOf(short)).toMatchObject([{ id: 't1' }]);
  const { data: cut } = await host.call('find', { text: 'pricing', limit: 2, groups: ['documents', 'rooms'] });
  expect(cut).toMatchObject({ items: [{ id: 'r1' }, { id: 'd1' }], remaining: 1 });
});

test('get and activity do not blame a scope that the object does not need, and name what they did not read', async () => {
  const sandbox = await closeAfterTest(createSandbox());
  const key = sandbox.key(['documents:read', 'links:read', 'analytics:read']);
  const host = await openHostOnSandbox(sandbox, { env: { DOCSHARE_API_KEY: key } });
  const { error } = await host.call('get', { id: 'lnk_deleted' });
  expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('templates (0 read)') });
  expect((await host.call('get', { id: 'room_1' })).error).toMatchObject({ scope: 'datarooms:read' });
  const { data } = await host.call('activity', { who: 'nobody@example.com' });
  expect(data).toMatchObject({ items: [], not_read: [expect.stringContaining('agreements'), expect.any(String)] });
  const narrow = await openHostOnSandbox(sandbox, { args: ['--groups', 'links'] });
  expect((await narrow.call('get', { id: 'room_1' })).error['message']).toContain('not enabled: documents, rooms');
});

test('names groups that the key cannot read, that fail, or that were not read', async () => {
  const many = Array.from({ length: 100 }, (_, at) => ({ id: `c${at}`, name: `Pricing ${at}` }));
  const host = await openHostOnService(({ path, query }) => {
    if (path === '/rooms') return { status: 403, json: {} };
    if (path === '/links') return { status: 422, json: {} };
    const page = Number(query.get('cursor') ?? 0);
    const items = many.map((one) => ({ ...one, id: `${one.id}_${page}` }));
    return { json: path === '/contacts' ? { items, next_cursor: String(page + 1) } : [] };
  });
  const { data } = await host.call('find', { text: 'ricing 7', limit: 3 });
  expect(itemsOf(data)[0]).toMatchObject({ group: 'contacts', name: 'Pricing 7' });
  expect(data['skipped']).toEqual({ links: 'invalid_input', rooms: expect.stringContaining('datarooms:read') });
  expect(data['searched']).toMatchObject({
    documents: 0,
    contacts: expect.stringMatching(/^\d{4} read, and there are more$/),
  });
  expect(data['next']).toContain('use match with list_contacts');
  expect(host.requests.length).toBeLessThanOrEqual(75);
});

test('reports how far a group was read before it failed', async () => {
  const host = await openHostOnService(({ path, query }) => {
    if (path !== '/links') return { json: [] };
    if (query.has('cursor')) return { status: 403, json: {} };
    return { json: { items: [{ id: 'deck', name: 'deck' }], next_cursor: 'more' } };
  });
  const { data } = await host.call('find', { text: 'dec' });
  expect(data).toMatchObject({
    items: [{ group: 'links', id: 'deck' }],
    searched: { links: '1 read, and there are more' },
    skipped: { links: expect.stringMatching(/^after 1: /) },
    next: texts.someGroupsReadCompletely,
  });
});

const many = Array.from({ length: 500 }, (_, at) => ({
  id: `doc_${at}`,
  name: `Notes ${at} for deck 7`,
  status: 'active',
}));
const deck = { id: 'doc_900', name: 'Deck 7', expires_at: '2020-01-01T00:00:00Z', status: 'active' };

/** A workspace of many records that filters by words anywhere in a record, or not at all. */
const workspace =
  (narrows: boolean) =>
  ({ path, query }: { path: string; query: URLSearchParams }) => {
    const [, list, id] = path.split('/');
    if (list !== 'documents' && list !== 'links') return { json: { items: [] } };
    const all = [...many, deck];
    const one = all.find((item) => item.id === id);
    if (id !== undefined) return one ? { json: one } : { status: 404, json: {} };
    const text = narrows ? (query.get('q') ?? '').toLowerCase() : '';
    const words = (item: Json) => JSON.stringify(item).toLowerCase();
    const found = all.filter((item) => words(item).includes(text)).toReversed();
    const listed = narrows && text !== '' ? found : all;
    const start = Number(query.get('cursor') ?? 0);
    const items = listed.slice(start, start + 20);
    return {
      json: { items, ...(start + 20 < listed.length ? { next_cursor: `${start + 20}`, total: listed.length } : {}) },
    };
  };

test('an exact name comes first, with its state, after at most 8 requests if the service filters', async () => {
  const host = await openHostOnService(workspace(true));
  const { data } = await host.call('find', { text: 'deck 7', groups: ['links', 'rooms', 'contacts'] });
  expect(itemsOf(data)[0]).toEqual({ group: 'links', id: 'doc_900', name: 'Deck 7', status: 'expired' });
  expect(data).toMatchObject({ searched: { rooms: expect.any(String) }, next: expect.stringContaining('exact match') });
  expect(host.requests.length).toBeLessThanOrEqual(8);
});

test.each([true, false])('an ID is requested directly, in any workspace (filters: %s)', async (narrows) => {
  const host = await openHostOnService(workspace(narrows));
  const { data } = await host.call('find', { text: 'doc_900' });
  expect(itemsOf(data)).toMatchObject([{ group: 'documents', id: 'doc_900', name: 'Deck 7' }]);
  expect(host.requests.map(({ path }) => path)).toEqual(['/documents/doc_900']);
});

test('if the service does not filter, a search uses its maximum of requests and reports how much is left', async () => {
  const host = await openHostOnService(workspace(false));
  const { data } = await host.call('find', { text: 'Notes 499 for', groups: ['links'] });
  expect(itemsOf(data)).toMatchObject([{ id: 'doc_499' }]);
  const { data: match } = await host.call('list_links', { match: 'Notes 1', limit: 5 });
  expect(match).toMatchObject({ searched: { complete: false, total: 501 } });
});

test('fails if no group can be read, and names an unknown group', async () => {
  const host = await openHostOnService(() => ({ status: 401, json: {} }), { args: ['--exclude', 'list_rooms'] });
  expect((await host.call('find', { text: 'x' })).error).toMatchObject({ code: 'authentication_failed' });
  expect(host.requests.map(({ path }) => path)).not.toContain('/rooms');
  for (const [name, said] of [
    ['contact', 'did you mean "contacts"'],
    ['rooms', 'is not available'],
  ] as const)
    expect((await host.call('find', { text: 'x', groups: [name] })).error['message']).toContain(said);
  for (const text of [' ', 'x'.repeat(201)])
    expect((await host.call('find', { text })).error).toMatchObject({
      code: 'invalid_arguments',
      message: 'text: must have 1 to 200 characters.',
    });
});

test('searches only the enabled groups', async () => {
  const sandbox = await closeAfterTest(createSandbox());
  const host = await openHostOnSandbox(sandbox, { args: ['--groups', 'links,billing'] });
  const { data } = await host.call('find', { text: 'e' });
  expect(Object.keys(data['searched'] as Json)).toEqual(['links']);
  expect(new Set(sandbox.log.entries().map(({ operation }) => operation))).toEqual(new Set(['links.list']));
  expect((await host.tools()).map(({ name }) => name)).toContain('find');
});
