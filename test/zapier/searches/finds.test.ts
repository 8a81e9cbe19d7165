/** A record is reported as missing only if the whole list was searched, because a Zap would create it again. */
import { expect, test } from 'vitest';
import {
  getOperation,
  type Item,
  outcomeOf,
  serveList,
  type ZapAnswer,
  type ZapCall,
  zapStep,
} from '../../support/zap-step.ts';

/** A service that filters with `matches`, and lists two contacts on two pages. */
function serve(matches: (name: string, q: string) => boolean, first = 'Ann') {
  const contacts = [first, 'Bob'].map((name) => ({ id: name, name, email: `${name.toLowerCase()}@a.test` }));
  return zapStep(({ query }): ZapAnswer => {
    const { q, cursor } = query;
    if (q !== undefined) return { json: { data: contacts.filter(({ name }) => matches(name, q)) } };
    return { json: cursor ? { data: contacts.slice(1) } : { data: contacts.slice(0, 1), next_cursor: 'n' } };
  });
}

test.each([
  { attributes: { email: 'ann@a.test', full_name: 'Ann Lee', last_name: 'Lee', company: 'Acme' } },
  { properties: { email: 'ann@a.test', firstname: 'Ann', lastname: 'Lee', company: 'Acme' }, url: 'https://a.test/7' },
  { email: 'ann@a.test', name: 'Ann Lee', company: 'Acme', properties: { full_name: 'Bob', company: 'Other' } },
])('the contact %j is found by its email, updated and not created again', async (fields) => {
  const step = serveList(() => [{ id: '7', ...fields }], {
    withhold: ({ method }) => (method === 'GET' ? undefined : { json: { id: '7', ...fields } }),
  });
  const shown = { id: '7', name: 'Ann Lee', email: 'ann@a.test', company: 'Acme' };
  expect(await step.find('find_contact', { query: 'Ann@a.test' })).toMatchObject([shown]);
  const input = { email: 'ann@a.test', company: 'Acme' };
  expect(await step.act('create_or_update_contact', input)).toMatchObject({ ...shown, is_new: false });
  expect(step.routes().filter((route) => !route.startsWith('GET'))).toEqual(['PATCH /contacts/7']);
  const silent = serveList(() => [{ id: '7', ...fields }], {
    withhold: ({ method }) => (method === 'GET' ? undefined : { status: 204 }),
  });
  const renamed = await silent.act('create_or_update_contact', { ...input, name: 'Cy Bee' });
  expect(renamed).toMatchObject({ name: 'Cy Bee', first_name: 'Cy', last_name: 'Bee', company: 'Acme' });
});

test('a filter for whole names is trusted for them, but not for parts of names or email addresses', async () => {
  const { find, calls } = serve((name, q) => name.toUpperCase() === q.toUpperCase());
  expect(await find('find_contact', { query: 'Nobody' })).toEqual([]);
  // The filter, the first page, and the filter with a known name.
  expect(calls).toHaveLength(3);
  expect(await find('find_contact', { query: 'ob', match: 'contains' })).toMatchObject([{ id: 'Bob' }]);
  expect(await find('find_contact', { query: 'bob@a.test' })).toMatchObject([{ id: 'Bob' }]);
});

test.each([
  ['get_room_analytics', { room: 'r1' }, 'r1'],
  ['get_usage', {}, 'usage'],
])('%s has an ID that later steps can use', async (search, input, id) => {
  const { find } = zapStep(() => ({ json: { views: 4 } }));
  expect(await find(search, input)).toMatchObject([{ id }]);
});

test.each([
  ['get_link_analytics', { link: 'l1' }, '/links', 'link_name'],
  ['get_room_analytics', { room: 'l1' }, '/rooms', 'room_name'],
  ['get_visit', { visit: 'v1', link: 'l1' }, '/links', 'link_name'],
])('%s with %j gets the name of what was picked with one GET %s, and remembers it', async (key, input, list, name) => {
  const step = zapStep(({ path }) => ({ json: path === list ? [{ id: 'l1', name: 'Deal' }] : { link_id: 'l1' } }));
  for (let run = 0; run < 2; run++) expect(await step.find(key, input)).toMatchObject([{ [name]: 'Deal' }]);
  expect(step.count(`GET ${list}`)).toBe(1);
});

test.each([
  ['get_signed_document', { agreement: 'a1' }, /key has the permission Agreements: read/],
  ['get_link_analytics', { link: 'l1' }, undefined],
])('%s tells a list that is not found from a record that is not', async (search, input, words) => {
  const found = zapStep(() => undefined).find(search, input);
  if (words) await expect(found).rejects.toThrow(words);
  else expect(await found).toEqual([]);
});

test.each(['Ann', 'ANN', '2026-01', 'NDAs', 'HR'])('a case-sensitive filter is checked beside %s', async (first) => {
  const { find } = serve((name, q) => name.includes(q), first);
  expect(await find('find_contact', { query: 'bob' })).toMatchObject([{ id: 'Bob' }]);
  expect(await find('find_contact', { query: 'OB', match: 'contains' })).toMatchObject([{ id: 'Bob' }]);
});

test('a filter for names without case is trusted', async () => {
  const { find, calls } = serve((name, q) => name.includes(q), '案件');
  expect(await find('find_contact', { query: '契約' })).toEqual([]);
  expect(calls).toHaveLength(3);
});

test.each([
  ['Deal  Nine', 'Deal Nine'],
  ['Deal\u00a0Nine', 'Deal Nine'],
  ['Müller AG', 'Muller AG'],
  ['Cafe\u0301', 'Café'],
  ['Café', 'Cafe\u0301'],
])('with a filter that compares texts literally, %j finds %j', async (searched, stored) => {
  const rooms = ['First', stored].map((name) => ({ id: name, name }));
  const { find } = zapStep(({ query: { q, cursor } }): ZapAnswer => {
    const has = ({ name }: Item) => String(name).toLowerCase().includes(String(q).toLowerCase());
    if (q !== undefined) return { json: { data: rooms.filter(has) } };
    return { json: cursor ? { data: rooms.slice(1) } : { data: rooms.slice(0, 1), next_cursor: 'n' } };
  });
  expect(await find('find_room', { name: searched })).toMatchObject([{ name: stored }]);
});

test('a link that was found within one document is not the only one of its name', async () => {
  const links = ['a', 'b', 'c'].map((id) => ({ id, name: id === 'b' ? 'Other' : 'Deck', document_id: `of-${id}` }));
  const { find } = serveList(() => links, { pageSize: 1 });
  expect(await find('find_link', { query: 'Deck', document: 'of-c' })).toMatchObject([{ id: 'c' }]);
  await expect(find('find_link', { query: 'Deck' })).rejects.toThrow('2 links match');
});

test.each([
  ['', 'b'],
  ['/', 'b'],
  ['?utm_source=mail', 'b'],
  ['/#page=2', 'b'],
  ['c', 'bc'],
  ['d', undefined],
])('the URL of a link with %j at its end finds %j', async (end, id) => {
  const links = ['a', 'b', 'bc'].map((name) => ({ id: name, name, url: `https://a.test/l/${name}` }));
  const found = await serveList(() => links).find('find_link', { query: `https://a.test/l/b${end}` });
  expect(found.map((link) => link['id'])).toEqual(id === undefined ? [] : [id]);
});

const nda = (at: number) => ({ id: `a${at}`, name: 'NDA', created_at: new Date(1_767_000_000_000 + at).toISOString() });

test.each([false, true])('a newer agreement of a name is found first (oldest first: %s)', async (isReversed) => {
  const list = [3, 2, 1].map((at) => ({ ...nda(at), ...(at === 2 ? {} : { name: 'Other' }) }));
  const { find } = serveList(() => (isReversed ? list.toReversed() : list), { pageSize: 1 });
  expect(await find('find_agreement', { name: 'NDA' })).toMatchObject([{ id: 'a2' }]);
  list.unshift(nda(4));
  expect(await find('find_agreement', { name: 'NDA' })).toMatchObject([{ id: 'a4' }, { id: 'a2' }]);
});

test.each([30, 300])('of %i agreements of one name, a search returns all up to 250, newest first', async (count) => {
  const agreements = Array.from({ length: count }, (_, at) => nda(at));
  const found = await serveList(() => agreements).find('find_agreement', { name: 'NDA' });
  const ids = agreements.map(({ id }) => id);
  expect(found.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 250));
});

/** Two runs that create a room, after searches without a result if `isSearched`. */
const createTwice = async (isSearched: boolean, isDeleted = false) => {
  let rooms: Item[] = [];
  let made = 0;
  const step = zapStep(({ method, body }) => {
    if (method === 'GET') return { json: { data: rooms } };
    rooms = [{ id: `r${++made}`, ...(body as Item) }];
    return { status: 201, json: rooms[0] };
  });
  if (isSearched) expect(await step.find('find_room', { name: 'Deal' })).toEqual([]);
  const first = await step.act('create_room', { name: 'Deal' });
  if (isDeleted) rooms = [];
  const second = await step.act('create_room', { name: ' DEAL' });
  return [first['id'], second['id']];
};
test.each<[string, boolean, boolean, string[]]>([
  ['is returned instead of a second one', true, false, ['r1', 'r1']],
  ['is created again if it was deleted', true, true, ['r1', 'r2']],
  ['is created again without an earlier search', false, false, ['r1', 'r2']],
])('a room that another run has just created %s', async (_, isSearched, isDeleted, ids) => {
  expect(await createTwice(isSearched, isDeleted)).toEqual(ids);
});

test('a record that a change moves to the first page meanwhile is found, if the list tells its total', async () => {
  let names = ['Ann', 'Bob', 'Cid', 'Acme'];
  const { find } = zapStep(({ query }): ZapAnswer => {
    const page = Number(query['page'] ?? 1);
    const data = names.slice(page * 2 - 2, page * 2).map((name) => ({ id: name, name, created_at: '2026-11-01' }));
    names = ['Acme', 'Ann', 'Bob', 'Cid'];
    return { json: { data, page, per_page: 2, total: 4 } };
  });
  expect(await find('find_room', { name: 'Acme' })).toMatchObject([{ id: 'Acme' }]);
});

test.each([
  [60, []],
  [70, expect.stringContaining('60 read')],
])('of a list of 60 that told of %i and has grown meanwhile, a search over two runs ends: %j', async (told, end) => {
  let total = told;
  const withhold = ({ query }: ZapCall): ZapAnswer => {
    const at = Number(query['cursor'] ?? 0);
    return { json: { data: [{ id: `r${at}` }], total, ...(at < 59 && { next_cursor: `${at + 1}` }) } };
  };
  const { find } = serveList(() => [], { withhold });
  expect(await outcomeOf(find('find_room', { name: 'Acme' }))).toContain('ThrottledError');
  total += 1;
  expect(await outcomeOf(find('find_room', { name: 'Acme' }))).toEqual(end);
});

test('a search over several runs ends even if the rate limit leaves few requests at its end', async () => {
  let left = 0;
  const rooms = Array.from({ length: 60 }, (_, at) => ({ id: `r${at}`, name: `Room ${at}` }));
  const withhold = () => (left-- > 0 ? undefined : { status: 429, json: {} });
  const { run } = serveList(() => rooms, { pageSize: 1, withhold });
  const { perform } = getOperation('searches', 'find_room');
  let outcome: unknown;
  for (left of [50, 10, 2, 2]) {
    const authData = { apiKey: `key_with_${left}_${Math.random()}`, baseUrl: 'https://api.test/api/v1' };
    outcome = await outcomeOf(run(perform, { authData, inputData: { name: 'Acme' } }));
  }
  expect(outcome).toEqual([]);
});
