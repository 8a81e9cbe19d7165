import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { type Json, openHostOnSandbox, openHostOnService, readList } from '../../support/mcp-host.ts';
import { PRESETS_WITHOUT_WAITS } from '../../support/presets-without-waits.ts';

const people = Array.from({ length: 1350 }, (_, at) => ({
  id: `c${at}`,
  name: at % 100 === 7 ? `Zoë Müller ${at}` : `Person ${at}`,
  email: `p${at}@example.com`,
  created_at: new Date(Date.UTC(2026, 0, 1 + (at % 300))).toISOString(),
}));

/** A list of contacts with cursors. `filterParams` are the query parameters by which it filters. */
const contacts =
  (filterParams: string[] = [], most = 1000) =>
  ({ query }: { query: URLSearchParams }) => {
    const text = filterParams.map((name) => query.get(name)).find((value) => value !== null);
    const all = people.filter(({ name }) => !text || name.includes(text));
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Math.min(Number(query.get('limit') ?? 20), most);
    return { json: { items: all.slice(start, end), ...(end < all.length ? { next_cursor: String(end) } : {}) } };
  };

const idsOf = (data: Json) => (data['items'] as Json[]).map(({ id }) => id);
const mullers = people.filter(({ name }) => name.includes('Müller')).map(({ id }) => id);

describe('match', () => {
  test('reads pages if the service does not filter, continues by cursor, and reports how far it read', async () => {
    const host = await openHostOnService(contacts([], 25));
    const { data } = await host.call('list_contacts', { match: 'zoe MULLER' });
    expect(data).toMatchObject({ searched: { by: 'server', read: 1000, complete: false } });
    expect(idsOf(data)).toEqual(mullers.slice(0, 10));
    expect(host.requests).toHaveLength(41);
    const { data: rest } = await host.call('list_contacts', { cursor: data['next_cursor'] });
    expect(rest).toMatchObject({ searched: { by: 'server', read: 1350, complete: true } });
    expect(idsOf(rest)).toEqual(mullers.slice(10));
    expect([rest['next_cursor'], rest['note']]).toEqual([undefined, undefined]);
    // The server remembers that the service ignores the parameter: it is not tried again.
    await host.call('list_contacts', { match: 'p1349@', limit: 1 });
    expect(host.requests.filter(({ query }) => query['search'] !== undefined)).toHaveLength(1);
    // A full page does not request another one. The rest is left for the next call.
    const before = host.requests.length;
    const { data: full } = await host.call('list_contacts', { match: 'Person 1', limit: 1 });
    expect(full).toMatchObject({
      items: [{ id: 'c1' }],
      searched: { complete: false },
      next_cursor: expect.any(String),
    });
    expect(host.requests).toHaveLength(before + 1);
  });

  test('reports a list that cannot be read to its end', async () => {
    const host = await openHostOnService(() => ({ json: { items: people.slice(0, 3), has_more: true } }));
    const { data } = await host.call('list_contacts', { match: 'Person' });
    expect(data).toMatchObject({
      searched: { read: 3, complete: false },
      note: expect.stringContaining('cannot be continued'),
    });
  });

  test('lets the service filter if its response shows that it does, and remembers that', async () => {
    const host = await openHostOnService(contacts(['search']));
    const { data } = await host.call('list_contacts', { match: 'Müller' });
    expect(idsOf(data)).toEqual(mullers);
    expect(data['searched']).toEqual({ by: 'service', read: 14, complete: true });
    expect(host.requests).toHaveLength(2);
    const again = await host.call('list_contacts', { match: 'Person 124' });
    expect(again.data['searched']).toEqual({ by: 'service', read: 11, complete: true });
    expect(host.requests).toHaveLength(3);
  });

  test('an empty or unusual response does not prove that the service filters, so the pages are read', async () => {
    const plain = contacts();
    const host = await openHostOnService((request) =>
      request.query.has('q') ? { json: { items: [] } } : plain(request),
    );
    const { data } = await host.call('list_contacts', { match: 'Müller', limit: 1 });
    expect(data['searched']).toMatchObject({ by: 'server' });
    expect(idsOf(data)).toEqual([mullers[0]]);
  });

  test('a changing list whose items all match does not prove it either', async () => {
    let made = 0;
    const host = await openHostOnService(() => {
      made += 1;
      return { json: { items: [{ id: `x${made}`, name: 'always new' }], next_cursor: `c${made}` } };
    });
    const { data } = await host.call('list_rooms', { match: 'new', limit: 3 });
    expect(data).toMatchObject({ items: [{}, {}, {}], searched: { by: 'server', complete: false } });
  });

  test.each([
    [409, undefined],
    [401, 'authentication_failed'],
    [404, 'not_found'],
  ])('a service that answers a parameter with %i is read without it, or the error is %s', async (status, code) => {
    const plain = contacts();
    const host = await openHostOnService((request) => (request.query.has('q') ? { status, json: {} } : plain(request)));
    const { data, error } = await host.call('list_contacts', { match: 'Müller', limit: 1 });
    expect(code ? error['code'] : idsOf(data)).toEqual(code ?? [mullers[0]]);
  });

  test('a service that rejects large pages or unknown parameters is still read', async () => {
    const plain = contacts();
    const host = await openHostOnService((request) =>
      request.query.has('q') || Number(request.query.get('limit') ?? 0) > 50
        ? { status: 422, json: { error: 'limit' } }
        : plain(request),
    );
    const sizes = () => host.requests.map(({ query }) => query['limit']);
    const { data } = await host.call('list_contacts', { match: 'Müller', limit: 1 });
    expect(idsOf(data)).toEqual([mullers[0]]);
    expect(sizes().at(-1)).toBeUndefined();
    const before = sizes().length;
    await host.call('list_contacts', { match: 'Müller', limit: 1 });
    expect(new Set(sizes().slice(before))).toEqual(new Set([undefined]));
  });

  test('a service that filters by another rule is not trusted: what it found comes first, then its list is read', async () => {
    const named = (name: string) => ({ id: name, name });
    const host = await openHostOnService(({ query }) => {
      if (query.has('cursor')) return { json: { items: [named('deck two'), named('deck three')] } };
      if (query.has('search') || query.has('q')) return { json: { items: [named('deck two')] } };
      return { json: { items: [named('deck one'), named('nda')], next_cursor: '2' } };
    });
    const { data } = await host.call('list_links', { match: 'deck' });
    expect(idsOf(data)).toEqual(['deck two', 'deck one', 'deck three']);
    expect(data['searched']).toEqual({ by: 'server', read: 4, complete: true });
    const { ids } = await readList(host, 'list_links', { match: 'deck', limit: 1 });
    expect(ids).toEqual(['deck two', 'deck one', 'deck three']);
  });

  test('if the service stops filtering, whole pages are requested from then on', async () => {
    let filtersByText = true;
    const [plain, narrow] = [contacts(), contacts(['search'])];
    const host = await openHostOnService((request) => (filtersByText ? narrow(request) : plain(request)));
    const find = async (match: string) => (await host.call('list_contacts', { match })).data['searched'];
    expect(await find('Müller')).toMatchObject({ by: 'service' });
    filtersByText = false;
    expect(await find('Person 12')).toMatchObject({ by: 'server' });
    const before = host.requests.length;
    expect(await find('Person 13')).toMatchObject({ by: 'server' });
    expect(host.requests.slice(before).some(({ query }) => 'search' in query || 'q' in query)).toBe(false);
  });

  test('a service that fails on a parameter or stops filtering costs requests, but no items', async () => {
    const plain = contacts();
    const narrow = contacts(['search']);
    let mode: 'fails' | 'filters' | 'refuses' | 'ignores' = 'fails';
    const host = await openHostOnService((request) => {
      if (!request.query.has('search') || mode === 'ignores') return plain(request);
      if (mode === 'filters') return narrow(request);
      return mode === 'fails' ? { status: 501, json: {} } : { status: 400, json: {} };
    });
    const find = async (args: Json) => idsOf((await host.call('list_contacts', { limit: 3, ...args })).data);
    expect(await find({ match: 'Müller' })).toEqual(mullers.slice(0, 3));
    mode = 'filters';
    expect(await find({ match: 'Müller', since: '2020-01-01' })).toEqual(mullers.slice(0, 3));
    for (mode of ['ignores', 'refuses', 'filters'] as const)
      expect(await find({ match: 'Müller', since: '2020-01-01' })).toEqual(mullers.slice(0, 3));
  });

  test('a list of one page needs no extra request, and small limits neither lose nor repeat matches', async () => {
    const host = await openHostOnService(() => ({ json: people.slice(0, 420) }));
    const { ids } = await readList(host, 'list_contacts', { match: 'müller', limit: 2 });
    expect(ids).toEqual(mullers.slice(0, 5));
    expect(host.requests).toHaveLength(3);
  });

  test('hidden values cannot be found by guessing', async () => {
    const host = await openHostOnService(() => ({
      json: [
        { id: 'l1', url: 'https://x.example/f?X-Amz-Signature=abcdef' },
        { id: 'l2', name: 'abcdef' },
      ],
    }));
    expect(idsOf((await host.call('list_links', { match: 'abcdef' })).data)).toEqual(['l2']);
  });

  test('a failure before the first match is an error, not an empty list', async () => {
    const host = await openHostOnService(({ query }) =>
      query.has('cursor')
        ? { status: 403, json: {} }
        : { json: { items: [{ id: 'n', name: 'nda' }], next_cursor: '1' } },
    );
    expect((await host.call('list_links', { match: 'deck' })).error).toMatchObject({ code: 'permission_denied' });
  });

  test('a failure on a later page keeps the matches, and the cursor continues there', async () => {
    const plain = contacts();
    let fails = true;
    const host = await openHostOnService((request) =>
      fails && Number(request.query.get('cursor')) >= 200 ? { status: 403, json: {} } : plain(request),
    );
    const { data } = await host.call('list_contacts', { match: 'Müller' });
    expect(idsOf(data)).toEqual(mullers.slice(0, 2));
    expect(data['note']).toContain('permission_denied');
    fails = false;
    const { data: rest } = await host.call('list_contacts', { cursor: data['next_cursor'], match: 'Müller' });
    expect(idsOf(rest)[0]).toBe(mullers[2]);
  });
});

describe('since and until', () => {
  test('keep items created between them, count whole days, and report items without a date', async () => {
    const host = await openHostOnService(() => ({
      json: [
        { id: 'a', created_at: '2026-11-01T23:59:59Z' },
        { id: 'b', created_at: '2026-11-02T00:00:00Z' },
        { id: 'c', createdAt: 1_793_750_399 },
        { id: 'd', created_at: '2026-11-04T00:00:00Z' },
        { id: 'e' },
      ],
    }));
    const { data } = await host.call('list_rooms', { since: '2026-11-02', until: '2026-11-03' });
    expect(idsOf(data)).toEqual(['b', 'c']);
    expect(data['searched']).toEqual({ by: 'server', read: 5, complete: true });
    expect(data['note']).toContain('1 items without a date');
    expect(idsOf((await host.call('list_rooms', { since: '2026-11-04T01:00:00+01:00' })).data)).toEqual(['d']);
  });

  test.each([
    [{ since: 'yesterday' }, 'since'],
    [{ until: '2026-02-31' }, 'until'],
    [{ since: '2026-11-21', until: '2026-11-01' }, 'since'],
    [{ match: '\u0301' }, 'match'],
    [{ match: 'x'.repeat(201) }, 'match'],
  ])('%j is rejected by name before any request', async (args, name) => {
    const host = await openHostOnService(() => ({ json: [] }));
    const { error } = await host.call('list_links', args);
    expect(error).toMatchObject({ code: 'invalid_arguments' });
    expect(error['message']).toMatch(new RegExp(`^${name}: `));
    expect(host.requests).toEqual([]);
  });

  test('a cursor continues with its original filter', async () => {
    const host = await openHostOnService(contacts());
    const { data } = await host.call('list_contacts', { match: 'Müller', limit: 1 });
    const { error } = await host.call('list_contacts', { match: 'Person', cursor: data['next_cursor'] });
    expect(error['message']).toContain('another match');
  });
});

describe('a query that the service ignores', () => {
  test('is reported, with one extra request the first time only', async () => {
    const host = await openHostOnService(() => ({ json: [{ id: 'a', name: 'A' }] }));
    for (const requests of [2, 3]) {
      const { data } = await host.call('list_links', { query: { status: 'active' } });
      expect(data['note']).toContain('ignores the query');
      expect(host.requests).toHaveLength(requests);
    }
    expect(host.requests.map(({ query }) => query)).toEqual([{ status: 'active' }, {}, { status: 'active' }]);
  });

  test('is not reported if the responses differ or the second request fails', async () => {
    let broken = false;
    const host = await openHostOnService(({ query }) => {
      if (query.has('status')) return { json: [{ id: 'a' }] };
      return broken ? { status: 403, json: {} } : { json: [{ id: 'a' }, { id: 'b' }] };
    });
    for (const status of ['active', 'old', 'x'])
      expect((await host.call('list_links', { query: { status } })).data).toEqual({ items: [{ id: 'a' }] });
    expect(host.requests).toHaveLength(4);
    broken = true;
    expect((await host.call('list_rooms', { query: { status: 'x' } })).data).toEqual({ items: [{ id: 'a' }] });
  });
});

test.each(PRESETS_WITHOUT_WAITS)('as %s, small pages return each match once, and find finds it', async (_, profile) => {
  const host = await openHostOnSandbox(await closeAfterTest(createSandbox({ profile })));
  const { items: all } = await readList(host, 'list_contacts');
  const texts = (item: Json) => `${item['name']} ${item['email']}`.toLowerCase();
  const wanted = all.filter((item) => texts(item).includes('e')).map(({ id }) => id);
  expect(wanted.length).toBeGreaterThan(3);
  const { ids, pages } = await readList(host, 'list_contacts', { match: 'E', limit: 2 });
  expect(ids).toEqual(expect.arrayContaining(wanted));
  expect(new Set(ids).size).toBe(ids.length);
  expect(pages.at(-1)?.data['searched']).toMatchObject({ complete: true });
  const { data } = await host.call('find', { text: String(wanted[0]), groups: ['contacts'] });
  expect((data['items'] as Json[])[0]).toMatchObject({ group: 'contacts', id: wanted[0] });
});
