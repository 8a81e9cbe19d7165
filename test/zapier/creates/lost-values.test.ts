/** Values that a service does not take, or that a draft lacks: an action sends none of them in part, and reports what the response shows. */
import { expect, test } from 'vitest';
import { act, type Item } from '../../support/zap-step.ts';

test.each<[string, string[], unknown, string[]]>([
  ['send_agreement', ['ann@a.test', 'bob@a.test'], { message: 'unknown field' }, ['recipients', 'signers']],
  ['send_proposal', ['ann@a.test; bob@a.test', 'cy@a.test'], { message: 'unknown field' }, ['recipients', 'signers']],
  ['send_agreement', ['ann@a.test'], { errors: { 'recipients.0.name': ['is required'] } }, ['recipients']],
  ['send_agreement', ['ann@a.test'], { errors: { email: ['is invalid'] } }, ['recipients']],
  ['send_proposal', ['ann@a.test'], { errors: { email: ['is invalid'] } }, ['recipients']],
  ['send_proposal', ['ann@a.test'], { message: 'recipient name is required' }, ['recipients']],
  ['send_proposal', ['ann@a.test'], { errors: ["Name can't be blank"] }, ['recipients']],
  ['send_agreement', ['ann@a.test'], { message: 'recipients contains an unknown contact: blank' }, ['recipients']],
  ['send_agreement', ['ann@a.test'], { fieldErrors: { recipients: ['is required'] } }, ['recipients']],
])('%s to %j never sends to fewer after the error %j', async (key, people, json, names) => {
  const input = { agreement: 'a1', proposal: 'p1', signer_emails: people, recipient_emails: people };
  const { outcome, writes } = await act(key, input, ({ body }) =>
    names.some((name) => Object.hasOwn(Object(body), name)) ? { status: 422, json } : {},
  );
  expect(outcome).toMatch(/unknown field|is required|is invalid|blank/);
  expect(writes.map(({ body }) => Object.keys(Object(body)))).toEqual(names.map((name) => [name]));
});

test.each<[string, Item, Item, string]>([
  ['add_room_folder', { parent_folder: 'f1' }, { errors: { ParentId: ['is not an allowed folder'] } }, 'parent_id'],
  ['create_contact', { name: 'Ann' }, { message: 'Name lacks a last name' }, 'name'],
  ['create_agreement', { signer_emails: 'a@a.test' }, { recipients: ['unknown contact'] }, 'recipients'],
  ['create_proposal', { items: [{ item_name: 'A' }] }, { items: ['additional rows are not allowed'] }, 'items'],
])('%s with %j stops at the error %j', async (key, form, json, name) => {
  const input = { room: 'r1', name: 'Deal', email: 'a@a.test', document: 'd1', ...form };
  const { writes } = await act(key, input, ({ body }) =>
    Object.hasOwn(Object(body), name) ? { status: 422, json } : { json: { id: 'x1' } },
  );
  expect(writes).toHaveLength(1);
});

test.each<[string, Item, string, unknown]>([
  ['add_room_file', {}, 'documentId', { errors: { DocumentId: ["'Document Id' must not be empty."] } }],
  ['create_agreement', { signer_emails: 'a@a.test' }, 'signers', { message: '"recipients" is not allowed' }],
  ['create_proposal', { recipient_emails: 'a@a.test' }, 'title', { message: 'Bad Request' }],
  ['create_contact', {}, 'full_name', { errors: ["Full name can't be blank"] }],
  ['create_proposal', { items: [{ item_name: 'A' }] }, 'line_items', { message: 'line_items is required' }],
])('%s with %j on a service that needs %s sends it after %j', async (key, form, name, json) => {
  const input = { room: 'r1', name: 'Deal', email: 'a@a.test', document: 'd1', ...form };
  const { writes, outcome } = await act(key, input, ({ body }) =>
    Object.hasOwn(Object(body), name) ? { json: { id: 'x1' } } : { status: 422, json },
  );
  expect(outcome).toBeTypeOf('object');
  expect(writes.at(-1)?.body).toHaveProperty(name);
});

test.each<[string, string, Item, string]>([
  ['create_agreement', 'signers', { signers: [{ email: 'A@a.test' }] }, 'accepted'],
  ['create_agreement', 'signers', {}, 'does not show "a@a.test"'],
  ['create_proposal', 'line_items', { rows: [{ title: 'Plan' }] }, 'accepted'],
  ['send_agreement', 'signers', {}, 'Bad Request'],
])('%s on a service that needs %s, answers "Bad Request" and shows %j ends with %s', async (key, name, shown, end) => {
  const form = { name: 'Deal', document: 'd1', agreement: 'a1', items: [{ item_name: 'Plan' }] };
  const input = { ...form, signer_emails: ['a@a.test'], recipient_emails: [] };
  const { outcome } = await act(key, input, ({ body }) =>
    Object.hasOwn(Object(body), name)
      ? { json: { id: 'x1', ...shown } }
      : { status: 400, json: { message: 'Bad Request' } },
  );
  expect(typeof outcome === 'string' ? outcome : 'accepted').toContain(end);
});

test.each<[string, Item, boolean]>([
  ['send_agreement', { signers: [{ email: 'bob@a.test' }] }, true],
  ['send_proposal', { recipients: [] }, true],
  ['send_proposal', { recipients: [{ email: 'bob@a.test' }], cc: ['Ann@a.test'] }, false],
  ['send_agreement', { recipients: [{ contact_id: 'c1' }] }, false],
  ['send_agreement', { name: 'NDA for ann@a.test', recipients: [{ email: 'bob@a.test' }] }, true],
  ['send_proposal', { recipients: ['Jo <joann@a.test>'] }, true],
  ['send_proposal', { recipients: ['Ann <Ann@a.test>'] }, false],
])('%s to Ann whose response shows %j reports if she is missing: %s', async (key, shown, isReported) => {
  const input = { agreement: 'a1', proposal: 'a1', signer_emails: ['ann@a.test'], recipient_emails: ['ann@a.test'] };
  const { outcome } = await act(key, input, ({ path }) => ({ json: { id: path, status: 'sent', ...shown } }));
  expect(String(outcome).includes('does not show that ann@a.test gets it')).toBe(isReported);
});

test.each<[string, Item, Item, boolean]>([
  ['add_room_folder', {}, { path: '/f', parentId: null }, true],
  ['add_room_folder', {}, { parent: { id: 'root' } }, true],
  ['add_room_folder', {}, { parent: 'Legal' }, false],
  ['add_room_folder', {}, { id: 'r1', folders: [{ id: 'f2', name: 'A', parent_id: null }] }, true],
  ['add_room_file', {}, { document_id: 'd1', folderId: null }, true],
  ['add_room_file', {}, { folder_id: null, folder: { id: 'f1' } }, false],
  ['add_room_file', { fields: { folderId: 'f2' } }, { folder_id: 'f2' }, false],
  ['upload_room_file', { file: 'data:application/pdf;base64,JVBERg==' }, { folder: { id: 'f2' } }, true],
  ['add_room_group', {}, { members: [] }, true],
  ['add_room_group', {}, { id: 'r1', groups: [{ id: 'g1', name: 'A', members: [] }] }, true],
  ['add_room_group', {}, { emails: ['Ann@a.test'] }, false],
  ['add_room_group', {}, { members: [{ contact_id: 'c1' }] }, false],
  ['add_room_group', { fields: { emails: '["bob@a.test"]' } }, { emails: ['bob@a.test'] }, false],
])('%s with %j whose response shows %j reports a lost folder or visitor: %s', async (key, form, shown, isReported) => {
  const place = { room: 'r1', name: 'A', document: 'd1', folder: 'f1', parent_folder: 'f1', emails: 'ann@a.test' };
  const { outcome } = await act(key, { ...place, ...form }, () => ({ json: { id: 'x1', ...shown } }));
  expect(/does not show (?:it inside|that ann@a.test is in it)/.test(String(outcome))).toBe(isReported);
});

test.each<[string, Item, boolean]>([
  ['add_contact_tags', { labels: [] }, true],
  ['update_contact', { tags: [{ name: 'Old' }] }, true],
  ['create_or_update_contact', { tags: ['hot-lead', 'old'] }, false],
  ['create_or_update_contact', { email: 'new@a.test', tags: [] }, true],
  ['add_contact_tags', { tags: ['tag_4f', 'tag_9k'] }, false],
  ['add_contact_tags', { tags: [{ tag: { name: 'Hot Lead' } }] }, false],
  ['create_or_update_contact', { email: 'new@a.test', tags: [7, 12] }, false],
])('%s whose response shows %j reports a lost tag: %s', async (key, shown, isReported) => {
  const answer = { id: 'c1', email: 'ann@a.test', ...shown };
  const input = { contact: 'c1', email: 'ann@a.test', tags: 'Hot Lead' };
  const { outcome } = await act(key, input, ({ method }) => ({ json: method === 'GET' ? [answer] : answer }));
  expect(String(outcome).includes('does not show the tag "Hot Lead"')).toBe(isReported);
});

test.each<[string, Item, Item]>([
  ['create_contact', { first_name: 'Ann', last_name: 'Lee' }, { name: 'Ann Lee', company: 'New' }],
  ['create_contact', {}, { name: 'Cy Bee', last_name: 'Bee', company: 'New' }],
  ['create_proposal', { grand_total: { amount: '5.50', currency: 'EUR' } }, { amount: 5.5, currency: 'EUR' }],
  ['create_proposal', { items: [{ price: { amount: '3' } }] }, { items: [{ unit_price: 3 }] }],
  ['create_proposal', { total: 4, currency: { code: 'EUR' } }, { amount: 4, currency: 'EUR' }],
  ['create_proposal', { value: { amount: 6, currency: { code: 'EUR' } } }, { amount: 6, currency: 'EUR' }],
  ['create_contact', { first_name: null, last_name: '', organization: null }, { last_name: null, company: null }],
])('%s returns the values that the response shows: %j', async (key, record, shown) => {
  const input = { contact: 'c1', email: 'ann@a.test', name: 'Cy Bee', company: 'New' };
  const { outcome } = await act(key, input, () => ({ json: { id: 'c1', email: 'ann@a.test', ...record } }));
  expect(outcome).toMatchObject(shown);
});

test.each<[string, Item, Item, string]>([
  ['update_template', { document: 'd2' }, { document_id: 'd1' }, 'the document of the template: it shows "d1"'],
  ['update_template', { description: 'B' }, { description: 'A' }, 'description of the template: it shows "A"'],
  ['update_template', { description: 'B' }, { description: null }, 'description of the template: it shows none'],
  ['update_link', { name: 'B' }, { name: 'A' }, 'did not apply the name of the link: it shows "A"'],
  ['update_contact', { name: 'Cy Bee' }, { full_name: 'Ann Lee' }, 'name of the contact: it shows "Ann Lee"'],
  ['update_contact', { name: 'Cy' }, { first_name: null, last_name: '' }, 'name of the contact: it shows none'],
  ['update_contact', { company: 'B' }, { company: { name: 'B' }, organization: null }, '"company":"B"'],
  ['update_contact', { company: 'B' }, { organization: { name: 'A' } }, 'company of the contact: it shows "A"'],
  ['update_contact', { company: 'B', fields: { organization: 'A' } }, { company: 'A' }, '"company":"A"'],
  ['create_or_update_contact', { name: 'a b', company: 'B', fields: { x: 1 } }, { name: 'A  B', company: 'C' }, '"C"'],
])('%s with %j on a service that then shows %j reports it', async (key, form, shown, words) => {
  const known = { id: 'r1', email: 'ann@a.test', url: 'u', ...shown };
  const input = { template: 'r1', link: 'r1', contact: 'r1', email: 'ann@a.test', ...form };
  const { outcome } = await act(key, input, ({ method }) => ({ json: method === 'GET' ? [known] : known }));
  expect(typeof outcome === 'string' ? outcome : JSON.stringify(outcome)).toContain(words);
});

test.each<[Item, Item, string]>([
  [{ name: 'Cy', company: 'B' }, { first_name: null, company: 'B' }, 'name of the contact: it shows none'],
  [{ name: 'Cy', company: 'B' }, { name: 'Cy', organization: null }, 'company of the contact: it shows none'],
  [{ name: 'Cy', company: 'B' }, {}, '"is_new":true'],
])('a new contact with %j on a service that shows %j of it reports it', async (form, shown, words) => {
  const email = 'ann@a.test';
  const { outcome } = await act('create_or_update_contact', { email, ...form }, ({ method }) => ({
    json: method === 'GET' ? [] : { id: 'c1', email, ...shown },
  }));
  expect(typeof outcome === 'string' ? outcome : JSON.stringify(outcome)).toContain(words);
});

test.each<[string, Item, Item]>([
  ['update_link', { name: 'B' }, { name: 'B', url: 'u', document_id: 'd1' }],
  ['update_template', { name: 'B' }, { name: 'B', document_id: 'd1' }],
  ['update_contact', { name: 'Bo' }, { name: 'Bo', last_name: null, email: 'ann@a.test', updated_at: null }],
  ['update_contact', { email: 'new@a.test' }, { name: 'Ann Lee', first_name: 'Ann', email: 'new@a.test' }],
  ['add_contact_tags', { tags: ['b'] }, { name: 'Ann Lee', email: 'ann@a.test', tags: ['a', 'b'] }],
])('%s returns the record also if the response is empty', async (key, form, result) => {
  const record = { id: 'r1', name: 'Ann Lee', url: 'u', document_id: 'd1', email: 'ann@a.test', tags: ['a'] };
  const input = { template: 'r1', link: 'r1', contact: 'r1', ...form };
  const { outcome } = await act(key, input, ({ method }) =>
    method === 'GET' ? { json: [{ ...record, updated_at: '2026-01-01' }] } : { status: 204 },
  );
  expect(outcome).toMatchObject({ id: 'r1', ...result });
});

test.each<[string, Item, Item]>([
  ['add_contact_tags', { id: 't1', name: 'vip' }, { id: 'r1', name: 'Ann Lee', tags: ['old', 'vip'] }],
  ...['add_contact_tags', 'update_contact', 'create_or_update_contact'].map((key): [string, Item, Item] => [
    key,
    { labels: ['old', 'Vip'] },
    { id: 'r1', tags: ['old', 'Vip'] },
  ]),
  ['update_contact', { tag: { id: 't1', name: 'vip' } }, { id: 'r1', first_name: 'Ann', email: 'ann@a.test' }],
  ['create_or_update_contact', { id: 't1', name: 'vip' }, { id: 'r1', name: 'Ann Lee', tags: ['old', 'vip'] }],
  ['update_contact', { ok: true }, { id: 'r1', email: 'ann@a.test', tags: ['old', 'vip'] }],
  ['send_proposal', { id: 's1', status: 'sent' }, { id: 'r1', status: 'sent' }],
  ['add_room_group', { id: 'r1', name: 'B', groups: [{ id: 'g1', name: 'Ann Lee' }, { id: 'g2' }] }, { id: 'g1' }],
  ['add_room_folder', { id: 'r1', folders: [{ name: 'Ann Lee' }, { id: 'f2', name: 'Ann Lee' }] }, { id: null }],
  ['add_room_file', { id: 'r1', name: 'B', files: [{ id: 'f1', document_id: 'd1' }] }, { id: 'f1', name: null }],
  ['add_room_group', { id: 'r1', name: 'B', group_count: 1 }, { id: null, name: 'Ann Lee' }],
])('%s whose response shows another record, %j, returns its own', async (key, shown, result) => {
  const record = { id: 'r1', name: 'Ann Lee', email: 'ann@a.test', tags: ['old'] };
  const input = { ...record, contact: 'r1', proposal: 'r1', room: 'r1', document: 'd1', tags: 'vip' };
  const responses: Record<string, unknown> = { GET: [record], PATCH: record };
  const { outcome } = await act(key, input, ({ method }) => ({ json: responses[method] ?? shown }));
  expect(outcome).toMatchObject(result);
});

test.each([
  ['yes', 0],
  ['no', 1],
  [undefined, 1],
])('with Ask a Person First set to %j, an agreement is sent %i times', async (ask_first, sends) => {
  const draft = { id: 'a1', status: 'draft', url: 'https://a.test/a1' };
  const { outcome, writes } = await act('send_agreement', { agreement: 'a1', ask_first }, ({ method }) => ({
    json: method === 'GET' ? [draft] : { id: 'a1', status: 'sent' },
  }));
  expect(writes).toHaveLength(sends);
  expect(outcome).toMatchObject(
    sends ? { status: 'sent', draft_url: null } : { status: 'draft', draft_url: draft.url },
  );
});

test.each<[string, Item, boolean]>([
  ['send_agreement', { status: 'Sent' }, false],
  ['send_agreement', { status: 'pending', sent_at: '2030-01-01T00:00:00Z' }, false],
  ['send_agreement', { status: 'Completed' }, false],
  ['send_proposal', { status: 'declined' }, false],
  ['send_proposal', { status: 'Accepted' }, false],
  ['send_proposal', { status: 'lost' }, false],
  ['send_proposal', { status: 'opened' }, false],
  ['send_agreement', { status: 'approved' }, true],
  ['send_proposal', { status: 'pending' }, true],
])('%s asks a person only for a draft: %j', async (key, record, isDraft) => {
  const ask = { agreement: 'x1', proposal: 'x1', ask_first: 'yes' };
  const { outcome } = await act(key, ask, () => ({ json: [{ id: 'x1', url: 'https://a.test/x1', ...record }] }));
  expect(outcome).toEqual(isDraft ? expect.objectContaining(record) : expect.stringContaining('no longer a draft'));
});

test.each<[string, Item, string | undefined]>([
  ['send_agreement', { signer_emails: 'Ann <ANN@a.test>', message: 'Hi\n' }, undefined],
  ['send_agreement', { signer_emails: 'zoe@a.test' }, 'Signer Emails'],
  ['send_and_wait', { message: 'Hello' }, 'Message'],
  ['send_proposal', { recipient_emails: 'zoe@a.test' }, 'Recipient Emails'],
  ['send_proposal', { fields: { reminder_days: '3' } }, 'Additional Fields'],
])('%s for a person, with %j, stops if the draft would lack a value', async (key, input, lost) => {
  const draft = { id: 'x1', status: 'draft', message: 'Hi', recipients: [{ email: 'ann@a.test' }] };
  const ask = { agreement: 'x1', proposal: 'x1', ask_first: 'yes', ...input };
  const { outcome, writes } = await act(key, ask, () => ({ json: [draft] }));
  expect(writes).toEqual([]);
  expect(outcome).toEqual(lost ? expect.stringContaining(`"${lost}"`) : expect.objectContaining({ status: 'draft' }));
});
