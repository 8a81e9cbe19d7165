/** Form values are interpreted as the user meant them, or the step says which one is wrong. */
import { describe, expect, test } from 'vitest';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { type Fields, openZapierContext } from '../support/zapier-lambda.ts';

const context = await closeAfterAll(openZapierContext());
const { link } = await context.share();
const getError = context.zap.actError;
const writes = () => context.sandbox.log.entries().filter(({ method }) => method !== 'GET');

const NOT_FILES = [
  'Master NDA.pdf\nOther.docx',
  'Mutual NDA',
  'a.odt',
  'a.csv',
  '{{123__file}}',
  'https://a.test/my deck.pdf',
];
const PROSE = 'Dear Ann,\n\nwe agree to keep this between us.\n';
test.each([...NOT_FILES, PROSE])('a file field rejects %j, and the step sends nothing', async (file) => {
  context.sandbox.log.clear();
  const room = 'room_1';
  const signers = [{ signer_email: 'ann@x.example' }];
  for (const key of ['send_for_signature', 'share_document', 'upload_room_file'])
    expect((await getError(key, { file, signers, room })).message).toContain('is not a file');
  if (file !== PROSE) expect((await getError('upload_document', { file })).message).toContain('is not a file');
  expect(writes()).toEqual([]);
});

describe('a deletion', () => {
  test.each(['Deck for Northwind', 'http://127.0.0.1/l/lnk_1', 'ann@x.example', 'lnk_typo', '{{1__id}}'])(
    'of %j, which is not an ID, fails',
    async (id) => {
      expect(await getError('delete_link', { link: id })).toMatchObject({ name: 'AppError' });
      expect(await getError('delete_template', { template: id })).toMatchObject({ name: 'AppError' });
    },
  );
  test('whose response was lost succeeds when it is repeated', async () => {
    const { id } = await context.act('create_template', { name: 'Lost' });
    context.sandbox.faults.add({ operation: 'templates.delete', when: 'after', cut: 'reset', times: 1 });
    expect(await context.act('delete_template', { template: id })).toEqual({ id, deleted: true });
  });
});

test.each([' ', '', '\u00a0', '\t\n', '\u200b', '\u3164'])('blank values like %j are not sent', async (blank) => {
  const email = 'blank@x.example';
  const { id } = await context.act('create_or_update_contact', { email, name: 'Ann Lee', company: 'Acme' });
  context.sandbox.log.clear();
  const fields = { phone: blank };
  await context.act('create_or_update_contact', { email, name: blank, company: blank, tags: [blank], fields });
  expect(await getError('update_contact', { contact: id, name: blank, company: blank, email: blank })).toMatchObject({
    code: 'invalid_input',
  });
  expect(await getError('update_link', { link: link['id'], name: blank })).toMatchObject({ code: 'invalid_input' });
  expect(await getError('create_room', { name: blank })).toMatchObject({ code: 'invalid_input' });
  expect(writes()).toEqual([]);
  expect(await context.act('update_contact', { contact: id, name: blank, company: 'New' })).toMatchObject({
    name: 'Ann Lee',
    company: 'New',
  });
});

describe('email addresses', () => {
  test.each(['create_agreement', 'create_proposal', 'send_agreement', 'send_proposal'])(
    'that repeat a person are rejected by %s',
    async (key) => {
      const emails = ['ann@x.example', 'Ann <ANN@x.example>'];
      const input = { name: 'N', document: 'd', agreement: 'a', proposal: 'p' };
      const error = await getError(key, { ...input, signer_emails: emails, recipient_emails: emails });
      expect(error.message).toContain('twice');
    },
  );
  test('have no typographic quotes: an apostrophe is read as the straight one, and others are rejected', async () => {
    expect(await context.act('create_contact', { email: 'Pat.O’Brien@x.example' })).toMatchObject({
      email: "Pat.O'Brien@x.example",
    });
    const error = await getError('create_contact', { email: '‘pat’@x.example' });
    expect(error.message).toContain('is not an email address');
  });
});

test.each<[string, Fields]>([
  ['create_proposal', { name: 'P', items: 'text' }],
  ['create_proposal', { name: 'P', items: [{ item_name: 'Seat', price: 5 }] }],
  ['create_agreement', { document: 'd', signer_emails: [{ email: 'a@b.c' }] }],
  ['add_contact_tags', { contact: 'con_1', tags: { a: 1 } }],
  ['create_room', { name: { first: 'A' } }],
  ['create_room', { name: ['A', 'B'] }],
  ['send_for_signature', { template: 'tpl_1', signers: 'ann@x.example' }],
  ['send_for_signature', { template: 't', signers: [{ signer_email: 'a@b.c' }], template__client: { first: 'Ann' } }],
  ['create_agreement', { template: 't', template__client: ['Ann', 'Bob'] }],
  ['api_request', { method: 'GET', path: { a: 1 } }],
  ['add_room_folder', { room: 'Acme deal', name: 'x' }],
  ['create_link', { document: 'd', gate_password: '\u3164' }],
  ['set_room_permissions', { room: 'r', group: 'g', access: 'Nobody' }],
])('%s with %j says which field is wrong', async (key, inputData) => {
  const error = await getError(key, inputData);
  expect(error).toMatchObject({ name: 'AppError', code: 'invalid_input' });
  expect(error.message).not.toMatch(/TypeError|not a function|"id:"|undefined/);
});

test.each<[string, Fields, Fields]>([
  ['contact', { email: 'new@x.example', name: 'One' }, { email: 'New@x.example', name: 'Two' }],
  ['room', { name: 'Deal', description: 'old' }, { name: 'Deal', description: 'new' }],
  ['template', { name: 'NDA' }, { name: 'NDA', description: 'new' }],
])('a second %s with other values within minutes is created with these values', async (kind, first, second) => {
  const query = kind === 'contact' ? { query: first['email'] } : { name: first['name'] };
  await context.zap.find(`find_${kind}`, query);
  const created = await context.act(`create_${kind}`, first);
  expect((await context.act(`create_${kind}`, first))['id']).toBe(created['id']);
  expect((await context.act(`create_${kind}`, second))['id']).not.toBe(created['id']);
});

test.each<[string, string, Fields, Fields]>([
  ['create_or_update_contact', 'contact', { email: 'old@x.example', name: 'One' }, { email: 'moved@x.example' }],
  ['create_template', 'template', { name: 'Before' }, { name: 'After' }],
])('%s creates another %s after the one that it created was renamed', async (key, kind, form, change) => {
  if (kind === 'template') await context.zap.find('find_template', form);
  const { id } = await context.act(key, form);
  await context.act(`update_${kind}`, { [kind]: id, ...change });
  const again = await context.act(key, form);
  expect(again).toMatchObject(form);
  expect(again['id']).not.toBe(id);
});

describe('a person sends', () => {
  const signers = [{ signer_email: 'ann@x.example', signer_name: 'Ann van Lee', signer_role: 'signer' }];
  const sends = () => writes().filter(({ operation }) => operation?.endsWith('.send'));

  test.each(['send_for_signature', 'send_agreement', 'send_proposal'])('the draft of %s', async (key) => {
    const template = (await context.act('create_template', { name: 'NDA' }))['id'];
    const agreement = (await context.act('create_agreement', { template }))['id'];
    const proposal = (await context.act('create_proposal', { name: 'Offer' }))['id'];
    context.sandbox.log.clear();
    const form = { template, agreement, proposal, signers };
    const draft = await context.act(key, { ...form, ask_first: 'yes' });
    expect(draft).toMatchObject({ status: 'draft', draft_url: expect.stringMatching(/^http/) });
    expect(sends()).toEqual([]);
    context.zap.cache.clear();
    const input = { ...form, signer_emails: ['a@x.example'], recipient_emails: ['a@x.example'] };
    expect(await context.act(key, input)).toMatchObject({ status: 'sent', draft_url: null });
    expect(
      (await getError(key, { ...input, agreement: 'nope', proposal: 'nope', ask_first: 'maybe' })).message,
    ).toContain('Ask a Person First');
  });

  test('a template with its field values, but not a draft that lost one', async () => {
    const fields = JSON.stringify([
      { name: 'company', label: 'Company Name' },
      { name: 'sig', type: 'signature' },
    ]);
    const lists = {
      merge_fields: '["start", "company"]',
      custom_fields: '[[{ "api_id": "text_1", "label": "City", "type": "text", "placeholder_name": "Client" }]]',
      placeholders: '[{ "id": "1", "name": "Client" }, { "id": "2", "name": "Sender" }]',
    };
    const template = (await context.act('create_template', { name: 'Filled', fields: { fields, ...lists } }))['id'];
    const form = await context.zap.run<Fields[]>('creates.send_for_signature.operation.inputFields', {
      inputData: { template },
    });
    expect(form.filter(({ key }) => String(key).startsWith('template__'))).toMatchObject([
      { key: 'template__company', label: 'Company Name' },
      { key: 'template__start', label: 'Start' },
      { key: 'template__text_1', label: 'City' },
    ]);
    const merged = { placeholders: '[{ "name": "City" }]' };
    const other = (await context.act('create_template', { name: 'Merged', fields: merged }))['id'];
    const otherForm = await context.zap.run<Fields[]>('creates.send_for_signature.operation.inputFields', {
      inputData: { template: other },
    });
    expect(otherForm).toContainEqual(expect.objectContaining({ key: 'template__City' }));
    const input = { template, signers, template__company: ' Acme Ltd ', fields: { cc: '["cc@x.example"]' } };
    const { raw, signers: shown } = await context.act('send_for_signature', input);
    expect(raw).toMatchObject({ fields: [{ name: 'company', value: 'Acme Ltd' }], cc: ['cc@x.example'] });
    expect(shown).toEqual([{ email: 'ann@x.example', name: 'Ann van Lee', status: 'sent' }]);
    const offered = await context.zap.run<Fields[]>('creates.send_for_signature.operation.inputFields', {});
    expect(offered).toContainEqual(expect.objectContaining({ key: 'learned__cc', label: 'CC', list: true }));
    const drafted = await context.act('create_agreement', { template, template__company: 'Acme Ltd' });
    expect(drafted).toMatchObject({ raw: { fields: [{ name: 'company', value: 'Acme Ltd' }] } });
    context.sandbox.log.clear();
    const named = { id: 'env_lost', name: 'NDA with Acme Ltd', status: 'draft' };
    const record = { ...named, recipients: [{ email: 'ann@x.example', role: 'signer' }] };
    context.sandbox.faults.add({ operation: 'agreements.create', status: 201, body: JSON.stringify(record) });
    const error = await getError('send_for_signature', { ...input, name: 'Lost' });
    context.sandbox.faults.clear();
    expect(error.message).toContain('does not show the value of the field company');
    for (const lost of ['expires_in_days', 'reminder_days']) {
      const timed = { template, signers, name: lost, fields: { [lost]: '14' } };
      context.sandbox.faults.add({
        operation: 'agreements.create',
        status: 201,
        body: JSON.stringify(record),
        times: 1,
      });
      expect((await getError('send_for_signature', timed)).message).toContain(lost);
    }
    expect(sends()).toEqual([]);
  });
});

test.each<[string, { query: string }, Fields, Fields, boolean]>([
  ['contact', { query: 'ida@x.example' }, { email: 'ida@x.example', company: 'Acme' }, { company: 'Beta' }, false],
  ['contact', { query: 'jan@x.example' }, { email: 'jan@x.example', name: 'Jan' }, { name: 'Jan Lee' }, false],
  ['link', { query: 'For Ida' }, { name: 'For Ida', email_required: true }, { email_required: false }, false],
  ['link', { query: 'For Jan' }, { name: 'For Jan', gate_visitors: '5' }, { gate_visitors: '50' }, false],
  // Adding tags does not change what was created.
  ['contact', { query: 'kim@x.example' }, { email: 'kim@x.example', name: 'Kim' }, { tags: ['new'] }, true],
])('a new %s of %j is not answered by one that was edited since', async (kind, find, values, edit, same) => {
  const own = await closeAfterTest(openZapierContext());
  const { id: document } = await own.act('upload_document', { file: 'data:,Deck.', name: 'Deck.txt' });
  const input = kind === 'link' ? { document, ...values } : values;
  expect(await own.zap.find(`find_${kind}`, find)).toEqual([]);
  const first = await own.act(`create_${kind}`, input);
  await own.act(`update_${kind}`, { [kind]: first['id'], ...edit });
  expect((await own.act(`create_${kind}`, input))['id'] === first['id']).toBe(same);
});

test('people can map the parts of a name, tags, a price and its items', async () => {
  const contact = { email: 'zoe@x.example', name: 'Zoe van Dam', tags: ['a', 'b'], fields: { phone: '+49 1' } };
  expect(await context.act('create_contact', contact)).toMatchObject({
    first_name: 'Zoe',
    last_name: 'van Dam',
    phone: '+49 1',
    tags: ['a', 'b'],
  });
  const reversed = await context.act('create_contact', { email: '"van Dam, Zoe" <zoe@y.example>' });
  expect(reversed).toMatchObject({ first_name: 'Zoe', last_name: 'van Dam' });
  const items = [{ item_name: 'Seat', quantity: '3', unit_price: '2.5' }];
  const proposal = { name: 'Offer', recipient_emails: ['Bob <bob@x.example>'], items };
  expect(await context.act('create_proposal', proposal)).toMatchObject({
    amount: 7.5,
    currency: 'USD',
    recipients: [{ email: 'bob@x.example', name: 'Bob' }],
    items: [{ name: 'Seat', quantity: 3, unit_price: 2.5 }],
  });
});

test.each<[string, Fields, string]>([
  ['add_room_file', { room: 'room_1', document: 'Deck.pdf' }, 'The room or document in this step was not found'],
  ['upload_document', { file: 'data:,x', document: 'Deck.pdf' }, '"New Version Of"'],
])('%s with %j, a name instead of an ID, says which fields to correct', async (key, inputData, words) => {
  const { message } = await getError(key, inputData);
  expect(message).toContain(words);
  expect(message).toMatch(/map its (Document )?ID/);
  expect(message).not.toContain('replay');
});

test.each(['modern', 'raw'] as const)('on %s, the test shows the values of the live event', async (profile) => {
  const own = await closeAfterTest(openZapierContext(profile));
  const shared = await own.share();
  const happen = {
    link_viewed: () => own.sandbox.visit(String(shared.link['id']), { email: 'eve@northwind.example' }),
    envelope_signed: () => own.sandbox.sign(shared.agreement),
  };
  const inputs = { link_viewed: { link: shared.link['id'] }, envelope_signed: { name_contains: 'NDA with Ann' } };
  for (const key of ['link_viewed', 'envelope_signed'] as const) {
    const subscription = await own.subscribe(key);
    await happen[key]();
    const [live = {}] = await own.zap.trigger(key, await own.delivered(key, subscription));
    const [example = {}] = await own.zap.trigger(key, { inputData: inputs[key] }, 'performList');
    // These fields distinguish the sample from the event.
    const values = ({ id, raw, check, ...event }: Fields) => event;
    expect(values(example)).toEqual(values(live));
  }
});
