import { describe, expect, test } from 'vitest';
import { act, type Item, outcomeOf, type ZapAnswer, type ZapCall, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

describe('a price list', () => {
  const seats = { item_name: 'Seats', quantity: '3', unit_price: '10' };
  test.each<[unknown]>([[[seats, { quantity: 2 }]], [JSON.stringify([seats])], [[JSON.stringify(seats)]]])(
    '%j is sent without its empty rows',
    async (items) => {
      const { bodyOf } = await act('create_proposal', { name: 'P', items }, () => ({ json: { id: 'p1' } }));
      expect(bodyOf('POST /proposals')).toMatchObject({ items: [{ name: 'Seats', quantity: 3, unit_price: 10 }] });
    },
  );
  test.each<[string[], string, string]>([
    [['$10', 'US$10', '10 USD'], 'usd', ''],
    [['1.200,50 €'], 'USD', 'created in USD, but this step has prices in €'],
    [['10 CHF'], 'EUR', 'prices in CHF'],
    [['10 SEK', '1 200,50 kr.', '10 STK'], 'sek', ''],
    [['1 200,50 kr'], 'USD', 'prices in kr'],
    [['10 CAD'], 'USD', 'prices in CAD'],
    [['10 SEK', '10 kr'], 'NOK', 'prices in SEK'],
    [['10 PLN', '₪10'], 'PLN', 'prices in PLN and in ₪'],
    [['£10', '€10'], 'EUR', 'prices in £ and in €'],
  ])('with the prices %j, in a workspace with %s, says %j', async (prices, currency, words) => {
    const items = prices.map((unit_price) => ({ ...seats, unit_price }));
    const { outcome } = await act('create_proposal', { name: 'P', items }, () => ({ json: { id: 'p1', currency } }));
    expect(outcome).toEqual(words ? expect.stringContaining(words) : expect.objectContaining({ id: 'p1' }));
  });
  test.each<[string, Item, string]>([
    [' -5 € ', {}, 'created in usd, but this step has prices in €'],
    ['5', { currency_code: 'eur' }, 'prices in EUR. Delete the draft in Docshare, correct "currency"'],
    ['5 €', { currency: 'USD' }, 'prices in USD and in €'],
  ])('with the price %j and %j stops if only the list shows the currency', async (unit_price, fields_json, words) => {
    const form = { name: 'P', items: [{ ...seats, unit_price }], fields_json };
    const { outcome } = await act('create_proposal', form, ({ method }) => ({
      json: method === 'GET' ? [{ id: 'p1', currency: 'usd' }] : { id: 'p1' },
    }));
    expect(outcome).toContain(words);
  });
  test('a decimal comma is one beside a name with commas', async () => {
    const item = { item_name: 'Rohr 1,5 mm, blau', quantity: '1,5', unit_price: '10,20' };
    const { bodyOf } = await act('create_proposal', { name: 'P', items: [item] }, () => ({ json: { id: 'p1' } }));
    expect(bodyOf('POST /proposals')).toMatchObject({ items: [{ quantity: 1.5, unit_price: 10.2 }] });
  });
  test.each<[Item, string]>([
    [{ unit_price: '5' }, 'with the price 5 has no name'],
    [{ ...seats, quantity: 0 }, '"0" is not above 0'],
    [{ ...seats, quantity: '-1,5' }, '"-1,5" is not above 0'],
    [{ item_name: 'Plan,2nd seat', unit_price: '10,20' }, 'several items in one row'],
    [{ item_name: 'A,B, blue,C', quantity: '1,2,1', unit_price: '100,200,300' }, 'several items in one row'],
    [{ ...seats, unit_price: [10, 20] }, '"Unit Price" needs one value and got 2'],
  ])('with the row %j is rejected', async (row, words) => {
    const { outcome } = await act('create_proposal', { name: 'P', items: [seats, row] }, () => undefined);
    expect(outcome).toContain(words);
  });
});

test.each<[unknown, number, number]>([
  ['title is required', 422, 2],
  [{ errors: { Title: ["'Title' must not be empty."] } }, 400, 2],
  ['unknown field name', 422, 2],
  ['can not be blank', 422, 2],
  ['property name should not exist', 400, 2],
  ['title must be a string', 400, 2],
  ['name should be shorter than a title', 400, 1],
  ['name is not a valid parameter', 422, 2],
  ['Invalid request', 422, 2],
  ['', 422, 2],
  ['name is too long', 422, 1],
  ['Bad request: name must be less than 5', 400, 1],
])('after the rejection %j with status %i an action tries %i bodies', async (words, status, bodies) => {
  let answers = 0;
  const json = typeof words === 'string' ? words && { error: words } : words;
  const { outcome, calls } = await act('create_proposal', { name: 'Deal' }, () =>
    answers++ === 0 ? { status, json } : { json: { id: 'p1' } },
  );
  expect(outcome).toEqual(bodies === 2 ? expect.objectContaining({ id: 'p1' }) : expect.stringContaining(`${words}`));
  expect([calls.length, new Set(calls.map(({ body }) => JSON.stringify(body))).size]).toEqual([bodies, bodies]);
});

test.each<[string, string, Item]>([
  ['send_agreement', 'sent', { name: 'Deal', status: 'sent', url: 'https://a.test/x' }],
  ['send_proposal', 'Draft', { name: 'Deal', status: null, url: 'https://a.test/x' }],
  ['send_and_wait', 'sent', { name: 'Deal', status: 'sent' }],
])('%s with an empty response returns the record, listed as %s', async (key, Status, shown) => {
  const record = { id: 'x1', name: 'Deal', Status, url: 'https://a.test/x' };
  const isTest = { meta: { isLoadingSample: true } };
  const step = zapStep(({ method }) => (method === 'GET' ? { json: [record] } : { status: 204 }));
  expect(await step.act(key, { agreement: 'x1', proposal: 'x1' }, isTest)).toMatchObject({ id: 'x1', ...shown });
});

test.each<[string, Item, string, Item]>([
  ['create_link', { document: 'd1' }, 'GET /documents/d1', { document_id: 'd1', document_name: 'Deck.pdf' }],
  ['create_link', { room: 'r1' }, 'GET /rooms', { room_id: 'r1', room_name: 'Deal' }],
  ['create_agreement', { template: 't1' }, 'GET /templates/t1', { template_id: 't1', template_name: 'NDA' }],
])('%s with %j gets the missing name with one %s, and remembers it', async (key, input, request, shown) => {
  let status = 403;
  const step = zapStep(({ method, path }) => {
    const names: Item = { '/documents/d1': { id: 'd1', name: 'Deck.pdf' }, '/templates/t1': { id: 't1', name: 'NDA' } };
    const json = path === '/rooms' ? [{ id: 'r1', name: 'Deal' }] : names[path];
    return method === 'GET'
      ? { status, json }
      : { json: { id: 'x1', url: 'https://a.test/x', room_id: input['room'] } };
  });
  const [nameKey = ''] = Object.keys(shown).filter((name) => name.endsWith('_name'));
  expect(await step.act(key, input)).toMatchObject({ ...shown, [nameKey]: null });
  status = 200;
  for (let run = 0; run < 2; run++) expect(await step.act(key, input)).toMatchObject(shown);
  expect(step.count(request)).toBe(2);
});

test('a name that the first page lacks is looked up only once', async () => {
  const step = zapStep(({ path }) => ({ json: path === '/links' ? [{ id: 'l2', name: 'Deck' }] : { views: 1 } }));
  for (let run = 0; run < 2; run++)
    expect(await step.find('get_link_analytics', { link: 'l1' })).toMatchObject([{ link_name: null, views: 1 }]);
  expect(step.count('GET /links')).toBe(1);
});

describe('room permissions', () => {
  const WHOLE = { group_id: 'g1', access: 'view' };
  const FOLDER = { group_id: 'g1', folder_id: 'f1', access: 'none' };
  const FILE = { group_id: 'g1', file_id: 'x', access: 'none' };
  const RESOURCE = { group_id: 'g1', resource_id: 5, access: 'none' };
  const OTHER = { group_id: 'g2', folder_id: 'f1', access: 'view' };
  const set = (input: Item, rooms: unknown) =>
    act('set_room_permissions', { room: 'r1', group: 'g1', ...input }, ({ method }) => ({
      json: method === 'GET' ? rooms : {},
    }));
  const room = (permissions: unknown) => [{ id: 'r1', permissions }];

  test.each<[string, Item, unknown, Item[]]>([
    [
      'of a folder keep those of the whole room and of others',
      { access: 'download', folder: 'f1' },
      [WHOLE, FOLDER, OTHER],
      [WHOLE, OTHER, { ...FOLDER, access: 'download' }],
    ],
    [
      'of the whole room keep those of its folders',
      { access: 'No access' },
      [WHOLE, FOLDER, OTHER],
      [FOLDER, OTHER, { ...WHOLE, access: 'none' }],
    ],
    [
      'of the whole room keep those of its files',
      { access: 'download' },
      [WHOLE, FILE, RESOURCE],
      [FILE, RESOURCE, { ...WHOLE, access: 'download' }],
    ],
    ['are read from a list of entries', { access: ' VIEW' }, { denied: [], entries: [OTHER] }, [OTHER, WHOLE]],
  ])('%s', async (_, input, permissions, entries) => {
    const { writes } = await set(input, room(permissions));
    expect(Object.values(writes[0]?.body as Item)).toEqual([entries]);
  });

  test.each([
    ['permission', 'view', 'it shows "View" for this group'],
    ['access', 'none', '"access":"none"'],
  ])('whose response shows the %s %j say so', async (name, level, words) => {
    const { outcome } = await act('set_room_permissions', { room: 'r1', group: 'g1', access: 'none' }, () => ({
      json: { id: 'r1', permissions: [OTHER, { group_id: 'g1', [name]: level }], data: room([OTHER]) },
    }));
    expect(typeof outcome === 'string' ? outcome : JSON.stringify(outcome)).toContain(words);
  });

  test.each<[string, unknown, string]>([
    ['missing', [{ id: 'r1' }], texts.currentPermissionsRoomCannot],
    ['null', room(null), texts.currentPermissionsRoomCannot],
    ['an object by group', room({ g1: 'view' }), texts.currentPermissionsRoomCannot],
    ['a part of a list', room({ data: [OTHER], has_more: true }), texts.currentPermissionsRoomCannot],
    ['in several lists', room({ groups: [WHOLE], files: [FILE] }), texts.currentPermissionsRoomCannot],
    ['fewer than their total', room({ items: [OTHER], total: 2 }), texts.currentPermissionsRoomCannot],
    ['nested', room([{ ...WHOLE, folders: [{ id: 'f2', access: 'none' }] }]), texts.currentPermissionsRoomCannot],
    ['without a room', [], texts.thisRoomWasNotFound],
  ])('that are %s are not replaced, unless the form says so', async (_, rooms, message) => {
    const { outcome, writes } = await set({ access: 'view', folder: 'f1' }, rooms);
    expect([outcome, writes]).toEqual([expect.stringContaining(message), []]);
    expect((await set({ access: 'view', folder: 'f1', replace_all: 'yes' }, rooms)).writes).toHaveLength(1);
  });

  test.each<[unknown, boolean]>([
    [[{ id: 'f2', name: 'f1' }], false],
    [{ data: [] }, false],
    [{ data: [{ id: 'f2' }], has_more: true }, true],
    [['f2'], true],
    [[{ id: 'f2', children: [{ id: 'f3', folders: [{ id: 'f1' }] }] }], true],
    [{ data: [{ id: 'f2', subfolders: [{ id: 'f1', type: 'file' }] }] }, false],
  ])('of a room with the folders %j can be set for the folder f1: %s', async (folders, isAllowed) => {
    for (const replace_all of ['no', 'yes']) {
      const rooms = [{ id: 'r1', permissions: [], folders }];
      const { outcome, writes } = await set({ access: 'view', folder: 'f1', replace_all }, rooms);
      expect(writes).toHaveLength(isAllowed ? 1 : 0);
      expect(String(outcome).includes('"f1" is not a folder of this room')).toBe(!isAllowed);
    }
  });

  test.each([
    ['Investors', 0],
    ['g1', 1],
    ['g_new', 1],
  ])('of the group %j are set with %i requests', async (group, requests) => {
    const rooms = [{ id: 'r1', permissions: [], groups: [{ group_id: 'g1', name: 'Investors' }] }];
    const { outcome, writes } = await set({ access: 'view', group }, rooms);
    expect(writes).toHaveLength(requests);
    if (requests === 0) expect(outcome).toContain('"Investors" is a name, not an ID.');
  });

  test.each([
    { fields: { permissions: '[]' } },
    { fields_json: { Permissions: [] } },
    { fields: { extra: '{"permissions": []}' } },
  ])('cannot be removed by %j', async (more) => {
    const { outcome, writes } = await set({ access: 'view', ...more }, room([OTHER]));
    expect([outcome, writes]).toEqual([expect.stringContaining(texts.additionalFieldsContainAll), []]);
  });
});

test.each<[number, ZapAnswer, boolean]>([
  [204, undefined, true],
  [404, { json: [] }, false],
  [400, { json: [{ id: 'lnk_1' }] }, false],
  [403, { json: [] }, false],
])('a deletion with status %i and the list %j succeeds: %s', async (status, list, isDone) => {
  const { outcome } = await act('delete_link', { link: 'lnk_1' }, ({ method }) =>
    method === 'DELETE' ? { status, json: {} } : list,
  );
  expect(outcome).toEqual(isDone ? { id: 'lnk_1', deleted: true } : expect.any(String));
});

describe('Create or Update Contact', () => {
  const ann = { id: 'con_1', email: 'Ann@a.test', name: 'Ann', company: 'Old' };
  const upsert = (input: Item, contacts: readonly Item[], write: (call: ZapCall) => ZapAnswer = () => ({ json: {} })) =>
    act('create_or_update_contact', input, (call) => (call.method === 'GET' ? { json: contacts } : write(call)));

  test.each<[string, Item, Item, unknown[]]>([
    [
      'sends the given fields of an existing contact, and keeps the others',
      { email: 'Sales <ann@A.test>', company: 'New', tags: ['a', ' a ', ''] },
      { id: 'con_1', name: 'Ann', company: 'New', is_new: false },
      [
        ['PATCH', '/contacts/con_1', { company: 'New' }],
        ['POST', '/contacts/con_1/tags', { tags: ['a'] }],
      ],
    ],
    ['writes nothing if nothing changes', { email: 'ann@a.test' }, { id: 'con_1', company: 'Old', is_new: false }, []],
    [
      'creates a missing contact with the name beside its address',
      { email: 'Bob Lee <bob@a.test>' },
      { id: 'con_2', name: 'Bob Lee', is_new: true },
      [['POST', '/contacts', { email: 'bob@a.test', name: 'Bob Lee' }]],
    ],
    [
      'does not take a similar address for the same',
      { email: 'änn@a.test' },
      { id: 'con_2', is_new: true },
      [['POST', '/contacts', { email: 'änn@a.test' }]],
    ],
  ])('%s', async (_, input, shown, requests) => {
    const { outcome, writes } = await upsert(input, [ann, ann], ({ path }) =>
      path === '/contacts' ? { status: 201, json: { id: 'con_2' } } : { json: {} },
    );
    expect(outcome).toMatchObject(shown);
    expect(writes.map(({ method, path, body }) => [method, path, body])).toEqual(requests);
  });

  test.each<[Item, Item, Item]>([
    [{ name: 'Cher' }, {}, { first_name: 'Cher', last_name: null, phone: '1', updated_at: null }],
    [{ name: 'Cher' }, { name: 'Cher', phone: '2' }, { name: 'Cher', last_name: null, phone: '2' }],
    [{ fields_json: { phone: null } }, {}, { last_name: 'Lee', phone: null, updated_at: null }],
    [{ fields_json: { phone: null } }, { phone: null, updated_at: '2026-02-01' }, { last_name: 'Lee', phone: null }],
    [{ tags: 'b' }, {}, { last_name: 'Lee', phone: '1', tags: ['a', 'b'], updated_at: null }],
    [{}, {}, { last_name: 'Lee', tags: ['a'], updated_at: '2026-01-01T00:00:00.000Z' }],
  ])('with %j and the response %j shows no value from before the change', async (input, response, shown) => {
    const before = { ...ann, name: 'Ann Lee', phone: '1', tags: ['a'], updated_at: '2026-01-01T00:00:00Z' };
    const { outcome } = await upsert({ email: 'ann@a.test', ...input }, [before], () => ({ json: response }));
    expect(outcome).toMatchObject({ email: 'Ann@a.test', ...shown });
  });

  test.each<[string, Item[], string | Item, boolean]>([
    ['is updated', [ann], { id: 'con_1', name: 'New', is_new: false }, true],
    ['is not changed if there are two', [ann, { ...ann, id: 'con_9' }], 'Check the record', false],
    ['is not changed if it is not listed', [], 'Check the record', false],
  ])('a contact that another run created at the same time %s', async (_, contacts, outcome, isUpdated) => {
    let listed: Item[] = [];
    const found = await act('create_or_update_contact', { email: 'ann@a.test', name: 'New' }, ({ method }) => {
      if (method !== 'POST') return { json: method === 'GET' ? listed : {} };
      listed = contacts;
      return { status: 409, json: {} };
    });
    expect(found.outcome).toEqual(
      typeof outcome === 'string' ? expect.stringContaining(outcome) : expect.objectContaining(outcome),
    );
    expect(found.count('PATCH /contacts/con_1')).toBe(isUpdated ? 1 : 0);
  });

  test.each<[Item, Item[], RegExp]>([
    [{ email: 'ann@a.test' }, [ann, { ...ann, id: 'con_9' }], /HaltedError: 2 contacts have the email ann\S+a\.test/],
    [{ email: 'ann@a.test' }, [{ email: 'ann@a.test' }], /shows no ID for the contact with this email/],
    [{ email: 'a@a.test, b@a.test' }, [], /more than one email address.*Looping/],
    [{ email: 'ann' }, [], /"ann" is not an email address/],
  ])('%j with the contacts %j changes nothing', async (input, contacts, message) => {
    const { outcome, writes } = await upsert({ name: 'N', ...input }, contacts);
    expect(outcome).toMatch(message);
    expect(writes).toEqual([]);
  });

  test.each([
    [{ name: 'N' }, 403, /updated, but its tags were not added.*contacts:write.*Fix this, then replay this run/],
    [{}, 500, /found, but its tags may be missing.*status 500.*Replay this run/],
  ])('with %j says what to do if the tags fail with status %i', async (input, status, message) => {
    const { outcome } = await upsert({ email: 'ann@a.test', tags: ['a'], ...input }, [ann], ({ path }) =>
      path.endsWith('/tags') ? { status, json: {} } : { json: {} },
    );
    expect(outcome).toMatch(message);
  });

  test('in two runs at once creates one contact, whatever the case of the email', async () => {
    const step = zapStep(({ method }) => ({ json: method === 'GET' ? [] : { id: 'con_1' } }));
    const upsertAs = (email: string) => outcomeOf(step.act('create_or_update_contact', { email, company: 'X' }));
    const outcomes = await Promise.all(['Ann@a.test', 'ann@a.test'].map(upsertAs));
    expect(outcomes).toEqual(expect.arrayContaining([expect.objectContaining({ is_new: true })]));
    expect(outcomes).toEqual(expect.arrayContaining([expect.stringContaining('ThrottledError: Another run')]));
    expect(step.count('POST /contacts')).toBe(1);
  });
});

test('links of one name to different documents do not wait for each other', async () => {
  const step = zapStep(() => ({ json: { id: 'l1', url: 'https://a.test/l1' } }));
  await Promise.all(['d1', 'd2'].map((document) => step.act('create_link', { document, name: 'For Ann' })));
  expect(step.count('POST /links')).toBe(2);
});

test.each<[unknown]>([[[' a ', '', 'a', ' ', 'b']], ['["a","b"]'], [['["a"]', 'b']], [['a,, b,;a', 'a，b、a']]])(
  'the tags %j are sent without surrounding spaces, empty lines and duplicates',
  async (tags) => {
    const { bodyOf } = await act('add_contact_tags', { contact: 'c1', tags }, () => ({}));
    expect(bodyOf('POST /contacts/c1/tags')).toEqual({ tags: ['a', 'b'] });
  },
);

test.each(['null', 'undefined', 'None', 'N/A', 'none'])('%j in an optional field is no value', async (none) => {
  const input = { email: 'a@a.test', name: 'None Such', company: none, tags: none };
  const dynamic = { learned__color: none, learned__cc: [none] };
  const fields = { note: none };
  const { bodyOf } = await act('create_contact', { ...input, ...dynamic, fields }, () => ({ json: { id: 'c' } }));
  expect(bodyOf('POST /contacts')).toEqual({ email: 'a@a.test', name: 'None Such', note: none });
  const added = await act('add_room_file', { room: 'r1', document: 'd1', folder: none }, () => ({ json: {} }));
  expect(added.bodyOf('POST /rooms/r1/files')).toEqual({ document_id: 'd1' });
  const proposal = await act('create_proposal', { name: 'P', items: none }, () => ({ json: { id: 'p' } }));
  expect(proposal.bodyOf('POST /proposals')).toEqual({ name: 'P' });
});

describe('API Request', () => {
  test.each<[Item, Item, ZapAnswer, Item]>([
    [
      { method: 'GET', path: ' /links ', query: { a: '1' } },
      { method: 'GET', path: '/links', query: { a: '1' }, body: undefined },
      { json: [1] },
      { status: 200, body: [1], text: '[1]' },
    ],
    [
      { method: 'POST', path: '/links', body: '{"document_id":9007199254740993}' },
      { method: 'POST', body: { document_id: '9007199254740993' } },
      { status: 201, json: 'done' },
      { status: 201, body: 'done', text: 'done' },
    ],
    [
      { method: 'DELETE', path: '/links/x', body: ' ' },
      { method: 'DELETE', body: undefined },
      { status: 204 },
      { status: 204, body: null, text: '' },
    ],
  ])('sends %j', async (input, sent, answer, shown) => {
    const { outcome, calls } = await act('api_request', input, () => answer);
    expect(outcome).toEqual(shown);
    expect(calls).toMatchObject([sent]);
  });
  test.each<[Item, string]>([
    [{ method: 'BREW', path: '/links' }, 'PUT or DELETE in the field "Method"'],
    [{ method: 'POST', path: '/links', body: '{"a":' }, texts.fieldBodyValidJson],
  ])('does not send %j', async (input, message) => {
    const { outcome, calls } = await act('api_request', input, () => undefined);
    expect([outcome, calls]).toEqual([expect.stringContaining(message), []]);
  });
});
