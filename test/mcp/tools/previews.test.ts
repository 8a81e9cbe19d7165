import { expect, test } from 'vitest';
import { type Json, openHostOnService } from '../../support/mcp-host.ts';
import { texts } from '../texts.ts';

/** Returns what the preview of deleting link `l1` shows, if the service returns these links. */
async function previewLinkDeletion(links: readonly Json[] | number) {
  const host = await openHostOnService(({ path }) => {
    if (typeof links === 'number') return { status: links, json: {} };
    // Documents cannot be read.
    return path === '/links' ? { json: links } : { status: 403, json: {} };
  });
  const { data } = await host.call('delete_link', { id: 'l1' });
  expect(data).toMatchObject({ done: false, confirm_token: expect.any(String) });
  return data['about'];
}
const others = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `other${at}` }));
const item = { id: 'l1', notes: Array.from({ length: 30 }, (_, at) => `note ${at}`) };

test.each<[string, readonly Json[] | number, unknown]>([
  ['is complete', [{ ...item, owner: null }], expect.objectContaining(item)],
  [
    'says that it was cut',
    [{ id: 'l1', text: 'words of a long note '.repeat(2000) }],
    expect.objectContaining({ id: 'l1', note: texts.longValuesShortenedPreview }),
  ],
  ['says that the link does not exist', others(999), { note: texts.noLinkWithThisId }],
  ['says how far it was searched for', others(1000), { note: texts.linkIdFoundAmong }],
  ['is left out if the service fails', 403, undefined],
  ['lacks the document if it cannot be read', [{ id: 'l1', document_id: 'd' }], { id: 'l1', document_id: 'd' }],
])('the object in a preview %s', async (_, links, about) => {
  expect(await previewLinkDeletion(links)).toEqual(about);
});

test('a cancel while the object is read ends the call', async () => {
  const requested = Promise.withResolvers<void>();
  const host = await openHostOnService(() => {
    requested.resolve();
    return new Promise<never>(() => undefined);
  });
  const abort = new AbortController();
  const call = host.call('delete_link', { id: 'l1' }, { signal: abort.signal });
  await requested.promise;
  abort.abort();
  await expect(call).rejects.toThrow();
});

test('a question shows who gets what under other names of fields, too', async () => {
  const rule = { group_id: 'g1', folder_id: 'f1', can_view: true };
  const view = { group_id: 'g1', access: 'view' };
  const lists: Record<string, unknown> = {
    '/documents': [{ id: 'd1', name: 'Salaries' }],
    '/documents/d1': { id: 'd1', name: 'Salaries' },
    '/links': [
      { id: 'l1', name: 'Pricing', document: { id: 'd1' }, expires_at: '2030-01-01' },
      { id: 'l2', name: 'Teaser', document_id: 'd2' },
      { id: 'l3', name: 'Open', target: { room: 'r1' }, emailRequired: false },
      { id: 'l4', document_id: 'd1', email_required: true },
      { id: 'l5', name: 'Fund', room_id: 'r1', group_id: 'g9', email_required: true },
      { id: 'l6', name: 'Old', document_id: 'd2', email_required: true, expires_at: 1_700_000_000 },
      { id: 'l7', name: 'Menu', room_id: 'r9', email_required: true },
    ],
    '/rooms': [
      {
        id: 'r1',
        name: 'Board',
        files: [
          { id: 'f2', name: 'Costs', document_id: 'd2' },
          { id: 'f3', name: 'Prices', document_id: 'd1' },
        ],
        groups: [
          { id: 'g1', name: 'Investors' },
          { id: 'g9', name: 'Guests' },
        ],
        permissions: [rule],
      },
    ],
    '/agreements': [
      { id: 'a1', name: 'NDA', owner_email: 'me@x.io', signers: { data: ['ann@x.example'] }, cc: ['eve@y.example'] },
      { id: 'a2', name: 'MSA', document_id: 'd2', recipient_email: 'bob@x.example' },
      ...others(998),
    ],
    '/templates': [{ id: 't1', name: 'NDA', fields: [{ type: 'signature', page: 1 }, { type: 'date' }] }],
    '/webhooks': [{ id: 'w1', endpoint_url: 'https://hooks.x.example/in' }],
  };
  const service = await openHostOnService(({ path }) => ({ json: lists[path] ?? [] }));
  const permissions = [{ group_id: 'g2', access: 'view' }];
  const set = (rules: readonly Json[], expected: string, more: Json = {}) =>
    ['set_room_permissions', { id: 'r1', ...more, fields: { permissions: rules } }, expected] as const;
  const add = (rule: Json, expected: string) => set([rule], expected, { keep_others: true });
  const moved = { fields: [{ type: 'signature', page: 2 }] };
  const changes = [
    { id: 'l1', expires_at: '2031-01-01' },
    { id: 'l2', document_id: 'd1' },
  ];
  const questions: readonly (readonly [string, Json, string])[] = [
    ['send_agreement', { id: 'a1' }, 'to ann@x.example and eve@y.example (cc) for signature. They'],
    [
      'send_agreement',
      { id: 'a2' },
      '"MSA" (document "d2", whose name could not be read) to bob@x.example (recipient_email) for signature. They',
    ],
    set(permissions, '"Investors" in folder "f1": can_view: true → no rule.'),
    set(permissions, ': "g2": no rule → "view".', { keep_others: true }),
    add({ ...view, folder_id: 'f7', access: 'none' }, 'in folder "f7": no rule → "none"'),
    add({ ...view, document_id: 'd2' }, ': "Investors" for file "Costs": no rule →'),
    add({ ...view, file_id: 'f3' }, ': "Investors" for file "Prices" (document "Salaries"): no rule →'),
    add(
      { ...view, folder_id: 'f1', document_id: 'd2' },
      ': "Investors" in folder "f1" and for file "Costs": no rule →',
    ),
    ['set_room_permissions', { id: 'r2', fields: { permissions } }, 'does not show the current permissions.'],
    set([...permissions, { group_id: 'g2', access: 'none' }], 'two rules are for the same group and place.'),
    set([{ ...rule, note: 'x', can_view: false }, rule], ': can_view: true → can_view: true'),
    set([{ ...rule, can_view: undefined, access: 'view' }], ': can_view: true → "view" and can_view: true → left out.'),
    add({ ...view, group_id: 'g9' }, ': "Guests": no rule → "view"; also for anyone with link "Fund".'),
    add({ group_id: 'g9' }, ': "Guests": no rule → unspecified access; also for anyone with link "Fund".'),
    ['set_room_permissions', { id: 'r1', fields: {} }, ' by none; anyone with a link may then see everything: "Inv'],
    ['create_link', { room_id: 'r1', email_required: true, fields: { group_id: 'g1' } }, ': group_id: "Investors".'],
    ['update_link', { id: 'l5', fields: { groupId: null } }, ': groupId: "Guests" → none.'],
    ['update_links', { changes: [{ id: 'l3', room_id: 'r1', group_id: 'g1' }] }, 'group_id: "Investors"'],
    [
      'update_link',
      { id: 'l6', fields: { expires_at: null } },
      'Reopen link "Old" (document "d2", whose name could not be read): expires_at: 1700000000 (2023-11-14T22',
    ],
    [
      'update_links',
      { changes: [{ id: 'l7', email_required: false }] },
      'of 1: "Menu" (room "r9", whose name could not be read; email_required: true → false)',
    ],
    ['delete_link', { id: 'l7' }, '"Menu" (room "r9", whose name could not be read)'],
    ['update_template', { id: 't1', fields: moved }, '"NDA": fields.1: 1 value → none and fields.0.page: 1 → 2.'],
    [
      'update_links',
      { changes },
      'showing something else on 1, possibly opening 1: "Teaser" (new document "Salaries";',
    ],
    [
      'update_links',
      { changes: [{ id: 'l4', email_required: false }] },
      'of 1: "Salaries" (email_required: true → false)',
    ],
    ['update_links', { changes: [{ id: 'l4', expires_at: '2020-01-01' }] }, 'ending 1: "Salaries" (expires_at: '],
    ['delete_link', { id: 'l1' }, '"Pricing" (document "Salaries")'],
    ['add_room_file', { id: 'r1', fields: { document_id: 'd1' } }, 'as can anyone with link "Open".'],
    ['send_agreement', { id: 'a1000' }, 'Send "a1000" (could not be read) to unknown recipients for signature.'],
    ['delete_webhook', { id: 'w1' }, 'Delete webhook "https://hooks.x.example/in".'],
  ];
  for (const [tool, args, expected] of questions)
    expect((await service.call(tool, args)).question, tool).toContain(expected);
});

test('a question about permissions shows the rules that are lost, and a change keeps those of other files', async () => {
  const whole = { group: 'g1', access: 'download' };
  const [costs, prices] = ['f2', 'f3'].map((file) => ({ group: 'g1', file, access: 'none' }));
  const byResource = [8, 9].map((resource_id) => ({ group: 'g1', resource_id, access: 'view' }));
  const rooms = [
    { id: 'r1', name: 'Board', files: [{ id: 'f2', name: 'Costs' }], permissions: [whole, costs, prices] },
    { id: 'r2', name: 'Legal', permissions: { rules: byResource } },
    { id: 'r3', permissions: { groups: [whole], files: [costs] } },
    { id: 'r4', permissions: [{ ...whole, folders: [{ id: 'f1', access: 'none' }] }] },
  ];
  const service = await openHostOnService(({ path }) => ({ json: path === '/rooms' ? rooms : {} }));
  const change = async (id: string, permissions: unknown, keep_others = true) => {
    const args = { id, keep_others, fields: { permissions } };
    const { question, data } = await service.call('set_room_permissions', args);
    const { confirm_token } = data;
    expect((await service.call('set_room_permissions', { ...args, confirm_token })).text).toContain('"done":true');
    return [question.split('. ')[0], JSON.parse(service.requests.at(-1)?.body ?? '')];
  };
  expect(await change('r1', [whole, prices], false)).toEqual([
    'Replace all permissions of room "Board": "g1" for file "Costs": "none" → no rule',
    { permissions: [whole, prices] },
  ]);
  const opened = { ...costs, access: 'view' };
  expect(await change('r1', [opened])).toEqual([
    'Change permissions of room "Board": "g1" for file "Costs": "none" → "view"',
    { permissions: [whole, prices, opened] },
  ]);
  const rules = [{ ...byResource[0], access: 'download' }];
  expect(await change('r2', { rules })).toEqual([
    'Change permissions of room "Legal": "g1" for 8: "view" → "download"',
    { permissions: { rules: [byResource[1], ...rules] } },
  ]);
  for (const id of ['r3', 'r4']) await expect(change(id, [prices])).rejects.toThrow('invalid_arguments');
});

test('references that are numbers or nested name the document with its file, and the room, too', async () => {
  const lists: Record<string, unknown> = {
    '/links': [
      { id: 7, name: 'Pricing', document_id: 1, room_id: null, email_required: true },
      { id: 8, name: 'All', document_id: null, room_id: 2, email_required: true },
      { id: 9, name: 'Ann <ann@x.example>', document: { id: 1 } },
      { id: 11, name: 'Plain', document: 1 },
      { id: 15, name: 'Bidders', documentId: null, dataroomId: 2 },
      { id: 10, name: 'Other', document: { id: 3, version: 1 } },
    ],
    '/agreements': [
      { id: 5, name: 'NDA', template_id: 4, document_id: null, signers: ['ann@x.example'] },
      { id: 6, name: 'NDA', documents: [{ id: 1 }, { id: 3 }], signers: ['ann@x.example'] },
      { id: 12, name: 'NDA', document_ids: [3, 1], signers: ['ann@x.example'] },
      { id: 13, name: 'NDA', template: 4, signers: { data: ['ann@x.example'], has_more: true } },
      { id: 14, name: 'NDA', recipient_count: 2, recipients: ['ann@x.example'] },
    ],
    '/templates/4': { id: 4, roles: ['Buyer'] },
    '/documents/3': { id: 3, name: 'Loan' },
    '/templates': [{ id: 4, name: 'NDA', document_id: 1 }],
    '/rooms': [{ id: 2, name: 'Board room' }],
    '/documents/1': { id: 1, name: 'Prices', file_name: 'salaries.pdf' },
    '/documents/01': { id: 1, name: 'Prices' },
    '/documents': [{ id: 1, name: 'Prices' }],
  };
  const service = await openHostOnService(({ path }) => ({ json: lists[path] ?? [] }));
  const fields = { email_required: false };
  const questions: readonly (readonly [string, Json, string])[] = [
    ['update_link', { id: '7', fields }, '"Pricing" (document "Prices", file "salaries.pdf")'],
    ['update_link', { id: '8', fields }, '"All" (room "Board room")'],
    ['update_link', { id: '11', fields }, '"Plain" (document "Prices", file "salaries.pdf")'],
    ['update_links', { changes: [{ id: '11', fields }] }, '"Plain" (document "Prices";'],
    ['add_room_file', { id: '2', fields: { document_id: 1 } }, '"Prices" (file "salaries.pdf") to room "Board room"'],
    ['update_template', { id: '5', fields: { document_id: 1 } }, 'to document "Prices" (file "salaries.pdf")'],
    ['send_agreement', { id: '5' }, 'Send "NDA" (template "NDA" (document "Prices", file "salaries.pdf")) to'],
    ['send_agreement', { id: '5' }, 'the role "Buyer" of its template has no person'],
    ['send_agreement', { id: '13' }, 'Not ready, see below: Send "NDA" (template "NDA" (document "Prices", file'],
    ['send_agreement', { id: '13' }, 'Check first: the service does not show all its recipients; the role "Buyer" of'],
    ['send_agreement', { id: '14' }, 'Check first: the service does not show all its recipients.'],
    [
      'create_agreement',
      { name: 'X', fields: { template_id: 4, send: true } },
      'Create agreement "X" from template "NDA" (',
    ],
    ['update_link', { id: '11', fields: { document: 3 } }, 'Show "Loan" on link "Plain" (document "Prices", file'],
    ['update_link', { id: '7', fields: { ...fields, room: 2 } }, 'Show "Board room" on and remove the email gate from'],
    ['update_link', { id: '11', fields: { room: 2 } }, 'Show "Board room" on link "Plain" ('],
    ['update_link', { id: '11', fields: { dataroomId: 2 } }, 'Show "Board room" on link "Plain" ('],
    ['update_links', { changes: [{ id: '11', data_room_id: 2 }] }, '"Plain" (new room "Board room"'],
    ['delete_link', { id: '15' }, '"Bidders" (room "Board room")'],
    [
      'update_links',
      { changes: [{ id: '11', document: 3 }] },
      'showing something else on 1: "Plain" (new document "Loan"',
    ],
    [
      'add_room_file',
      { id: '2', fields: { document: 3, level: 3 } },
      'Add "Loan" to room "Board room". Everyone with access there can open it at once. Settings: level: 3.',
    ],
    ['add_room_file', { id: '2', fields: { document_id: 3, documentId: 1 } }, 'Add "Loan" and "Prices" (file'],
    ['add_room_file', { id: '2', fields: { document: 3, folder_id: 4, folderId: 5 } }, 'Settings: folderId: 5.'],
    ['update_link', { id: '11', fields: { document_id: 3, documentId: 1 } }, 'Show "Loan" and "Prices" (file'],
    ['upload_document', { document_id: '01', content: 'aGk=', name: 'a.txt' }, 'at once: link "Pricing", link "Ann'],
    ['send_agreement', { id: '12' }, 'Send "NDA" (documents "Loan" and "Prices" (file "salaries.pdf")) to ann@'],
    ['send_agreement', { id: '6' }, 'Send "NDA" (documents "Prices" (file "salaries.pdf") and "Loan") to ann@'],
    [
      'upload_document',
      { document_id: '1', content: 'aGk=', name: 'a.txt' },
      'once: link "Pricing", link "Ann <ann@x.example>", link "Plain", agreement "NDA", agreement "NDA", template',
    ],
  ];
  for (const [tool, args, expected] of questions)
    expect((await service.call(tool, args)).question, tool).toContain(expected);
  const get = async (group: string, id: string) => (await service.call('get', { group, id })).data;
  expect(await get('links', '15')).toMatchObject({ room: { id: '2', name: 'Board room' } });
  expect(await get('agreements', '5')).toMatchObject({ template: { id: '4' } });
  expect((await service.call('report_link', { document_id: '1' })).data['links']).toMatchObject([
    { id: '7', document: { id: '1', name: 'Prices' } },
    { id: '9' },
    { id: '11' },
  ]);
  const args = { document_id: '1', recipients: ['ann@x.example'] };
  const { confirm_token } = (await service.call('create_personal_links', args)).data;
  const { data } = await service.call('create_personal_links', { ...args, confirm_token });
  expect(data).toMatchObject({ items: [], existing: [{ id: '9' }] });
});

test('a question names documents that an agreement lists under IDs of its own, and knows a draft by any state', async () => {
  const signers = ['ann@x.example'];
  const own = [{ documentId: 2, name: 'Loan.pdf' }].concat({ documentId: 1, name: 'Annex' });
  const lists: Record<string, unknown> = {
    '/agreements': [
      { id: 'a1', emailSubject: 'NDA', documents: own, signers },
      { id: 'a2', name: 'NDA', status: 'document.draft', document_id: null, documents: [{ id: 1 }], signers },
    ],
    '/documents/1': { id: 1, name: 'Prices' },
  };
  const service = await openHostOnService(({ path }) => (lists[path] ? { json: lists[path] } : { status: 404 }));
  for (const [id, expected] of [
    ['a1', 'Send "NDA" (documents "Loan.pdf" and "Annex" (document "Prices")) to ann@'],
    ['a2', 'Send "NDA" (document "Prices") to ann@x.example for signature. They are'],
  ])
    expect((await service.call('send_agreement', { id })).question).toContain(expected);
});

test('a send question finds objects by other names of their ID and title, and shows the prices of a draft without a total', async () => {
  const to = (letter: string, length = 60) => `${letter.repeat(length)}@x.example`;
  const bob = { signers: ['bob@x.example'] };
  const items = [{ description: 'Seats', unit_price: 50, quantity: 2 }];
  const lists: Record<string, unknown> = {
    '/agreements': [
      { envelopeId: 'a1', name: 'NDA', ...bob },
      { signature_request_id: 'a2', title: 'Loan', requester_email_address: 'me@x.example', ...bob },
      { id: 'a3', document_name: 'Lease', field_invites: [{ email: 'bob@x.example' }] },
      { request_id: 'a4', request_name: 'Bond', request_status: 'sent', actions: [{ recipient_email: 'b@x.test' }] },
      { id: 'a5', name: to('a', 45), documents: [1, 2].map((id) => ({ id, name: to('a', 45) })), ...bob },
    ],
    '/contacts': [{ id: 'c1', name: 'Bob', email: to('b') }],
    '/templates': [{ template_id: 't1', template_name: 'Mutual NDA' }],
    '/proposals': [{ id: 'p1', name: 'Offer', items, currency: 'USD', ...bob }],
    '/rooms': [{ dataroom_id: 'r1', name: 'Series B', permissions: [] }],
  };
  const service = await openHostOnService(({ path }) => (lists[path] ? { json: lists[path] } : { status: 404 }));
  for (const [tool, args, expected] of [
    ['send_agreement', { id: 'a1' }, 'Send "NDA" to bob@x.example for signature.'],
    ['send_agreement', { id: 'a2' }, 'Send "Loan" to bob@x.example for signature.'],
    ['send_agreement', { id: 'a3' }, 'Send "Lease" to bob@x.example'],
    ['send_agreement', { id: 'a4' }, 'Send "Bond" to b@x.test (actions.0.recipient_email) for signature. Check first'],
    ['send_agreement', { id: 'a5' }, ') to bob@x.example for signature.'],
    ['update_contact', { id: 'c1', fields: { mail_1: to('x'), email: to('e') } }, `: ${to('e')} and mail_1: x`],
    ['add_room_group', { id: 'r1', access: 'view' }, ' to the whole room; it has no rules yet, so others'],
    ['add_room_group', { id: 'r1', name: 'G', emails: ['x.test'] }, 'to room "Series B", with emails: ["x.test"].'],
    ['set_room_permissions', { id: 'r1', fields: { rules: [{ group: 'g' }] } }, ' access; it has no rules yet'],
    ['delete_template', { id: 't1' }, 'Delete template "Mutual NDA".'],
    [
      'send_proposal',
      { id: 'p1' },
      'bob@x.example, with items.0.unit_price: 50, items.0.quantity: 2 and currency: "USD".',
    ],
    ['add_room_file', { id: 'r1', fields: { document_id: 'd1' } }, 'to room "Series B". Everyone'],
  ] as const)
    expect((await service.call(tool, args)).question).toContain(expected);
});

test('a new version names the links that do not say what they open, because they may show the document', async () => {
  const links = [
    { id: 'l1', name: 'Board', url: 'https://x.example/l1', email_required: true },
    { id: 'l2', name: 'Press', document: { name: 'Deck' } },
    { id: 'l3', name: 'Other', target_id: 'd2' },
    { id: 'l4', name: 'Room', document_id: null, room_id: 'r1' },
  ];
  const lists: Record<string, unknown> = { '/links': links, '/documents/d1': { id: 'd1' } };
  const service = await openHostOnService(({ path }) => ({ json: lists[path] ?? [] }));
  const { question } = await service.call('upload_document', { document_id: 'd1', content: 'aGk=', name: 'a.txt' });
  expect(question).toContain('sees it at once: link "Board" and link "Press".');
});

test('a question shows the documents that people will get, and a step does not run if one has changed', async () => {
  let reads = 0;
  const service = await openHostOnService(({ method, path }) => {
    const id = path.slice('/documents/'.length);
    // The third read follows the approval.
    if (id === 'd1') reads += 1;
    if (id) return { json: { id, name: `Deck ${id}`, version: reads < 3 ? 1 : 2 } };
    return { json: method === 'PATCH' ? {} : ['l0', 'l1', 'l2'].map((id) => ({ id, name: 'Old', document_id: 'd9' })) };
  });
  const changes = ['d0', 'd0', 'd1'].map((document_id, at) => ({ id: `l${at}`, document_id, name: 'New' }));
  const { data } = await service.call('update_links', { changes });
  expect(data['about']).toMatchObject({ l2: { new_document: { name: 'Deck d1' } } });
  const { data: done } = await service.call('update_links', { changes, confirm_token: data['confirm_token'] });
  expect(done).toMatchObject({ failed: [{ id: 'l2', error: 'changed' }] });
  // The response does not show the new names.
  expect(done['items']).toEqual([{ id: 'l0' }, { id: 'l1' }]);
  expect(service.requests.filter(({ path }) => path === '/documents/d0')).toHaveLength(3);
  const draft = await service.call('create_agreement', { fields: { template_id: 'l0', send: true } });
  expect(draft.data['about']).toMatchObject({ template: { document: { name: 'Deck d9' } } });
});

test.each([
  ['Ann <ann@a.example>', 'ann@a.example', 'done'],
  ['a.example', 'a.example', 'invalid_input'],
])('the member %s of a group is sent as %s, or the call fails', async (member, sent, outcome) => {
  const host = await openHostOnService(({ method, path }) => {
    if (method === 'GET') return { json: path === '/rooms' ? [{ id: 'r1', name: 'Fund' }] : [] };
    // Like the sandbox, it ignores names that it does not know, such as `members`.
    const { emails = [] } = JSON.parse(host.requests.at(-1)?.body ?? '{}') as { emails?: string[] };
    return emails.every((one) => one.includes('@')) ? { json: { id: 'g1', emails } } : { status: 422, json: {} };
  });
  const args = { id: 'r1', name: 'Buyers', emails: [member] };
  const { confirm_token } = (await host.call('add_room_group', args)).data;
  const { data, error } = await host.call('add_room_group', { ...args, confirm_token });
  const writes = host.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
  expect([writes, data['done'] ? 'done' : error['code']]).toEqual([[{ name: 'Buyers', emails: [sent] }], outcome]);
});
