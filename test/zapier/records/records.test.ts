import { describe, expect, test } from 'vitest';
import { getChoices, getOperation, type Item, outcomeOf, type ZapAnswer, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

/** Returns the output of a trigger for these records. */
const poll = (key: string, items: readonly Item[], bundle: object = {}) =>
  zapStep(() => ({ json: { data: items } })).trigger(key, bundle);

const DAY = '2026-01-02T00:00:00.000Z';

test.each<[string, string, unknown, unknown]>([
  ['new_contact', 'name', 7, '7'],
  ['new_contact', 'company', true, true],
  ['new_contact', 'name', { a: 1 }, null],
  ['new_link', 'expires_at', '2026-01-02', DAY],
  ['new_link', 'expires_at', 'soon', null],
  ['new_document', 'page_count', '3.6', 4],
  ['new_invoice', 'amount', '3.6', 3.6],
  ['new_link', 'email_required', 'true', true],
  ['new_link', 'email_required', 'false', false],
  ['new_link', 'email_required', 'yes', null],
])('%s returns the field %s with %j as %j', async (key, field, value, shown) => {
  const [record] = await poll(key, [{ id: 'r1', [field]: value }]);
  expect(record?.[field]).toBe(shown);
});

test.each<[string, Item, Item]>([
  ['new_invoice', { id: 'inv_1', amount: 3 }, { id: 'inv_1', amount: 3 }],
  ['new_invoice', { number: 'N-1', amount_cents: 1234 }, { id: 'N-1', amount: 12.34 }],
  ['new_invoice', { issued_at: '2026-01-01' }, { id: '2026-01-01T00:00:00.000Z', amount: null }],
  ['new_contact', { email: 'ann@a.test', title: 'CEO', first_name: 'Ann', last_name: 'Lee' }, { name: 'Ann Lee' }],
  ['new_contact', { id: 'c', email: 'ann@a.test' }, { name: null, first_name: null }],
  ['new_contact', { id: 'c', email: 'ann@a.test', name: 'ann@a.test' }, { name: null, first_name: null }],
  [
    'new_agreement',
    { signers: [{ given_name: 'A', surname: 'L' }, {}] },
    { signers: [{ name: 'A L' }, { name: null }] },
  ],
  ['new_agreement', { recipients: { agents: [], cc: [{}], signers: [{ name: 'A' }] } }, { signers: [{ name: 'A' }] }],
  ['new_agreement', { recipients: { signed: [], pending: [{ name: 'A' }] } }, { signers: [{ name: 'A' }] }],
  [
    'new_agreement',
    {
      participants: [{ email: null, person: { email: 'a@a.test', first_name: 'A', last_name: 'L' }, state: 'signed' }],
    },
    { signers: [{ email: 'a@a.test', name: 'A L', status: 'signed' }] },
  ],
  ['new_link', { settings: { require_email: true, expiry: '2026-01-02' } }, { email_required: true, expires_at: DAY }],
  ['new_document', { id: 'd', type: 'documents', attributes: { type: 'pdf' } }, { content_type: 'pdf' }],
  ['new_document', { id: 'd', type: 'document' }, { content_type: null }],
  ['new_visitor', { id: 'v', viewer: { first_name: 'A', last_name: 'L' } }, { name: 'A L', last_name: 'L' }],
  ['new_visitor', { id: 'vtr_1', visit_ids: ['v1', 'v2'] }, { id: 'lnk_1-vtr_1', last_visit_id: 'v2' }],
  ['new_visitor', { email: 'ann@a.test' }, { id: 'lnk_1-ann@a.test', last_visit_id: null }],
  ['new_visitor', { visits: [{ id: 'v1' }, {}] }, { id: 'lnk_1-v1', last_visit_id: 'v1' }],
  ['new_visitor', { last_seen_at: '2026-01-01' }, { id: 'lnk_1-lnk_1-2026-01-01T00:00:00.000Z' }],
])('%s returns %j as %j', async (key, item, shown) => {
  expect(await poll(key, [item], { inputData: { link: 'lnk_1' } })).toMatchObject([shown]);
});

test('records without an ID are distinguished by their content', async () => {
  const records = await poll('new_link', [{ url: 'https://a.test/1' }, { url: 'https://a.test/2' }]);
  expect(new Set(records.map(({ id }) => id)).size).toBe(2);
  for (const { id } of records) expect(id).toMatch(/^sha256-[0-9a-f]{32}$/);
  const { act } = zapStep(() => ({ status: 201, json: { name: 'R' } }));
  expect(await act('create_room', { name: 'R' })).toMatchObject({ id: null, name: 'R' });
});

test('a form offers the fields of existing records, without its own fields, those of the service and IDs', async () => {
  const { inputFields } = getOperation('creates', 'create_link') as { inputFields: unknown[] };
  const getFields = inputFields.find((field) => typeof field === 'function');
  const keys = async (record: Item) => {
    const fields = await zapStep(() => ({ json: [record] })).run<Item[]>(getFields);
    return fields.map(({ key }) => key);
  };
  const item = {
    id: 'l1',
    created_at: '2026-01-01',
    owner_id: 'u1',
    first_name: 'A',
    color: 'red',
    tags: [],
    name: 'x',
  };
  expect(await keys(item)).toEqual(['learned__color']);
  expect(await keys(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`own_${at}`, at])))).toHaveLength(20);
});

describe('a part of a room', () => {
  const add = (json: unknown, input: Item = {}) =>
    zapStep(() => ({ json })).act('add_room_folder', { room: 'room_1', name: 'Legal', ...input });
  test.each<[unknown, Item]>([
    [{}, { id: null, name: 'Legal', room_id: 'room_1' }],
    [
      { id: 'f', name: 'Own' },
      { id: 'f', name: 'Own', room_id: 'room_1' },
    ],
  ])('created with the response %j is returned as %j', async (json, shown) => {
    expect(await add(json)).toMatchObject(shown);
  });

  const choose = (json: unknown) => {
    const perform = getChoices('creates', 'add_room_file', 'folder');
    return outcomeOf(zapStep(() => ({ json })).run(perform, { inputData: { room: 'r1' } }));
  };
  test('of a name that others have too is shown with its ID', async () => {
    const folders = ['f', 'g'].map((id) => ({ id, name: 'Legal' }));
    const { results } = (await choose([{ id: 'r1', folders }])) as { results: Item[] };
    expect(results.map(({ label }) => label)).toEqual(['Legal (f)', 'Legal (g)']);
  });
  test.each<[Item, string[]]>([
    [{ folders: [{ id: 'f' }, 'x'] }, ['f']],
    [{ folders: { data: [{ id: 'f' }] } }, ['f']],
    [{ folders: 'none' }, []],
    [{}, []],
  ])('is a choice of the room %j: %j', async (room, ids) => {
    const { results } = (await choose([{ id: 'r1', ...room }])) as { results: Item[] };
    expect(results.map(({ id }) => id)).toEqual(ids);
  });
  test('is not missing if the room may be on a page that cannot be read', async () => {
    expect(await choose(PART.json)).toContain('more');
  });
});

/** A list whose next page has a URL that the app does not follow. */
const PART = { json: { data: [{ id: 'a', name: 'A' }], next: '/api/v1/other?page=2' } };

describe('a list that is read in part is never taken for the whole list', () => {
  test('by a search, which fails instead of returning nothing', async () => {
    const { find } = zapStep(() => PART);
    await expect(find('list_invoices', { status: 'paid' })).rejects.toThrow('more');
  });
  test('by a poll, which reports an error if it finds nothing new', async () => {
    await expect(zapStep(() => PART).trigger('new_document')).rejects.toThrow(texts.couldCheckWholeList);
  });
  test('by a drop-down, whose next page says that more choices exist', async () => {
    const { trigger } = zapStep(() => PART);
    expect(await trigger('document_list', { meta: { page: 0 } })).toEqual([{ id: 'a', name: 'A' }]);
    await expect(trigger('document_list', { meta: { page: 1 } })).rejects.toThrow('more');
  });

  /** One visitor per page: Ann on the first page, Bob near the end. */
  const visitors = (dayOf: (page: number) => number) =>
    zapStep(({ query }) => {
      const page = Number(query['cursor'] ?? 0);
      const last_seen_at = new Date(dayOf(page) * 86_400_000).toISOString();
      const email = page === 0 ? 'ann@a.test' : page === 58 ? 'bob@a.test' : `v${page}@a.test`;
      return { json: { data: [{ email, last_seen_at }], next_cursor: page < 59 ? String(page + 1) : null } };
    });
  const newestFirst = (page: number) => 20_000 - page;
  test.each<[string, (page: number) => number, string | undefined, [number, string, number]]>([
    ['the latest visits of a person', newestFirst, 'Ann@a.test', [1, 'ann@a.test', 1]],
    ['a person near the end', newestFirst, 'bob@a.test', [2, 'bob@a.test', 1]],
    ['visits with the oldest first', (page) => 10_000 + page, undefined, [2, 'v59@a.test', 60]],
  ])('by List Link Visitors for %s', async (_, dayOf, email, [runs, first, count]) => {
    const search = visitors(dayOf).find.bind(undefined, 'list_link_visitors', { link: 'l1', email });
    for (let run = 1; run < runs; run++) await expect(search()).rejects.toMatchObject({ name: 'ThrottledError' });
    const found = await search();
    expect([found[0]?.['email'], found.length]).toEqual([first, count]);
  });
});

test('metrics and pages are found one level down too', async () => {
  const { find } = zapStep(() => ({ json: { link_id: 'l1', stats: { views: 3, pages: [{ page: 1, views: 2 }] } } }));
  expect(await find('get_link_analytics', { link: 'l1' })).toMatchObject([
    { id: 'l1', views: 3, pages: [{ page: 1, views: 2 }] },
  ]);
});

const perform = getChoices('searches', 'get_visit', 'visit');
const created = (id: string, day: number) => ({ id, created_at: `2026-01-0${day}T00:00:00Z` });
const step = zapStep(({ path }): ZapAnswer => {
  if (path === '/links') return { json: [created('l1', 1), created('l2', 3), created('l3', 2)] };
  if (path === '/analytics/links/l2/visitors')
    return { json: [{ email: 'ann@a.test', visit_ids: ['v1', 'v2'], viewed_at: '2026-02-01T10:20:30Z' }] };
  return path === '/analytics/links/l3/visitors' ? { json: [{ id: 'v3' }] } : undefined;
});
test('a choice of visits names the visitor and the time, for the chosen link or the two newest ones', async () => {
  expect(await step.run(perform)).toEqual({
    results: [
      { id: 'v1', label: 'ann@a.test, visit 1 of 2 (last seen 2026-02-01 10:20)' },
      { id: 'v2', label: 'ann@a.test, visit 2 of 2 (last seen 2026-02-01 10:20)' },
      { id: 'v3', label: 'Unknown visitor' },
    ],
    paging_token: null,
  });
  expect(await step.run(perform, { inputData: { link: 'l3' } })).toMatchObject({ results: [{ id: 'v3' }] });
  await expect(step.run(perform, { inputData: { link: 'l9' } })).rejects.toThrow();
});
