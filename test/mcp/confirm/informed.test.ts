/** An approval counts for what the form showed, and a decline for what it refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findInList } from '../../../mcp/tools/object-lookup.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { TimeoutError } from '../../../src/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../../support/cleanup.ts';
import { firstRows, type Host, type HostOptions, type Json, openHostOnSandbox } from '../../support/mcp-host.ts';

const APPROVE = { action: 'accept', content: { confirm: true } };
const DECLINE = { action: 'decline' };
const PDF = 'JVBERi0xLjQ=';
const folder = createFolderForFile('docshare-informed-');
const sandbox = await closeAfterAll(createSandbox());
beforeEach(() => sandbox.log.clear());

const questions: string[] = [];
/** A host whose user responds to each form with `answer`. It closes with the test. */
async function open(answer: () => Promise<Json> | Json, options: HostOptions = {}): Promise<Host> {
  questions.length = 0;
  const form = async (message: string) => {
    questions.push(message);
    return answer();
  };
  return openHostOnSandbox(sandbox, { form, ...options });
}

const request = async (method: string, path: string, body?: Json): Promise<Json> =>
  (await sendJson(sandbox, { key: sandbox.key(), method, path, body })).body;

const [document, link] = [
  () => [...sandbox.snapshot().state.documents.values()][0]?.id,
  async () => (await request('POST', '/links', { document_id: document(), email_required: true }))['id'],
];
const count = (method: string, path: RegExp) =>
  sandbox.log.entries().filter((entry) => entry.method === method && path.test(entry.path)).length;

describe('an approval', () => {
  test.each<[string, unknown]>([
    ['name', 'Renamed meanwhile'],
    ['expires_at', '2099-01-01T00:00:00.000Z'],
    ['max_visitors', 77],
  ])('does not count if %s has changed since the form was shown, and the next form shows it', async (field, value) => {
    const id = await link();
    let isFirst = true;
    const host = await open(async () => {
      if (isFirst) await request('PATCH', `/links/${id}`, { [field]: value });
      isFirst = false;
      return APPROVE;
    });
    expect((await host.call('delete_link', { id })).data).toMatchObject({ done: false, outcome: 'changed' });
    expect(count('DELETE', /links/)).toBe(0);
    expect((await host.call('delete_link', { id })).data).toMatchObject({ deleted: true, approved_by: 'form' });
    expect(questions[1]).toContain(String(value));
  });

  test('does not count if the content of the local file has changed', async () => {
    const path = join(folder, 'deck.pdf');
    writeFileSync(path, '%PDF-1.4 first');
    let isFirst = true;
    const host = await open(
      () => {
        if (isFirst) writeFileSync(path, '%PDF-1.4 other');
        isFirst = false;
        return APPROVE;
      },
      { args: ['--files', folder] },
    );
    const call = () => host.call('share_document', { path, email_required: false });
    expect((await call()).data).toMatchObject({ done: false, outcome: 'changed' });
    expect(count('POST', /documents|links/)).toBe(0);
    expect((await call()).data).toMatchObject({ done: true });
    expect(questions[0]).toContain('sha256');
  });

  test('does not count if more people see the document than the question named, even if only during its upload', async () => {
    const id = await link();
    const host = await open(async () => {
      await request('PATCH', `/links/${id}`, { email_required: false });
      return APPROVE;
    });
    const replace = () => host.call('upload_document', { document_id: document(), content: PDF, name: 'New.pdf' });
    expect((await replace()).data).toMatchObject({ done: false, outcome: 'changed' });
    sandbox.faults.add({ path: '/storage/*', delayMs: 1500, times: 1 });
    const slow = replace();
    await expect.poll(() => count('POST', /uploads/)).toBe(1);
    await link();
    expect((await slow).error).toMatchObject({ code: 'changed' });
    expect(count('POST', /finalize/)).toBe(0);
  });

  test('counts even if somebody has visited the link meanwhile', async () => {
    const { id, url } = await request('POST', '/links', { document_id: document(), email_required: true });
    const host = await open(async () => {
      await fetch(String(url));
      return APPROVE;
    });
    expect((await host.call('delete_link', { id })).data).toMatchObject({ deleted: true });
  });
});

test('a decline counts even if fields are added, nested or written differently', async () => {
  const id = await link();
  const host = await open(() => DECLINE);
  const gate = { email_required: false };
  for (const fields of [gate, { ...gate, m_0: 1 }, { m_1: 1, ...gate }, { extra: gate }, { max_visitors: 5, ...gate }])
    expect((await host.call('update_link', { id, fields })).data).toMatchObject({ outcome: 'declined' });
  expect(questions).toHaveLength(1);
  expect(count('PATCH', /links/)).toBe(0);
});

test('gated links count towards the hourly limit, and above it nothing happens without the confirmation page', async () => {
  const host = await open(() => APPROVE, { args: ['--actions-per-hour', '3'] });
  const create = () => host.call('create_link', { document_id: document(), email_required: true });
  // Also if all are called at once.
  const results = await Promise.all(Array.from({ length: 5 }, create));
  const outcomes = results.map(({ data }) => data['outcome'] ?? data['approved_by']);
  expect(outcomes.toSorted()).toEqual(['not_needed', 'not_needed', 'not_needed', 'over_budget', 'over_budget']);
  expect(questions).toHaveLength(0);
});

test('an approval to add a file to a room does not count once another group is in it', async () => {
  const [room] = sandbox.snapshot().state.rooms.values();
  const host = await open(async () => {
    await request('POST', `/rooms/${room?.id}/groups`, { name: 'Evil', emails: ['eve@evil.example'] });
    return APPROVE;
  });
  const { data } = await host.call('add_room_file', { id: room?.id, fields: { document_id: document() } });
  expect(data).toMatchObject({ done: false, outcome: 'changed' });
});

test.each([{}, { email_required: false }])('a declined file stays declined after its upload: %j', async (settings) => {
  writeFileSync(join(folder, 'plan.pdf'), '%PDF-1.4 plan');
  const host = await open(() => DECLINE, { args: ['--files', folder] });
  const share = async (args: Json) => (await host.call('share_document', { ...args, ...settings })).data['outcome'];
  const paths = ['plan.pdf', './plan.pdf', join(folder, 'plan.pdf')];
  for (const args of [{ files: ['plan.pdf'] }, ...paths.map((path) => ({ path }))])
    expect(await share(args)).toBe('declined');
  const { data } = await host.call('upload_document', { path: 'plan.pdf' });
  expect(await share({ document_id: data['id'] })).toBe('declined');
  expect(questions).toHaveLength(1);
});

test('a copy of a document that was declined for a room is declined too', async () => {
  writeFileSync(join(folder, 'copy.pdf'), '%PDF-1.4 copy');
  const host = await open(() => DECLINE, { args: ['--files', folder] });
  for (const name of ['one', 'two']) {
    const { data } = await host.call('upload_document', { path: 'copy.pdf', name });
    const added = await host.call('add_room_file', { id: 'r1', fields: { document_id: data['id'] } });
    expect(added.data).toMatchObject({ outcome: 'declined' });
  }
  expect(questions).toHaveLength(1);
});

test.each([
  [{ print_allowed: true }, { allow_prints: true }],
  [{ max_visitors: 5 }, { extra: { maxVisitors: 5 } }],
])('a decline of %j also holds for %j', async (first, second) => {
  const id = await link();
  const host = await open(() => DECLINE);
  for (const fields of [first, second])
    expect((await host.call('update_link', { id, fields })).data).toMatchObject({ outcome: 'declined' });
  expect(questions).toHaveLength(1);
});

test.each([{ email_required: true }, { name: 'New name' }])('after a declined plan, %j is not set', async (fields) => {
  const call = { id: await link(), fields };
  const host = await open(() => DECLINE);
  for (const [tool, args] of [['update_links', { changes: [call] }] as const, ['update_link', call] as const])
    expect((await host.call(tool, args)).data).toMatchObject({ outcome: 'declined' });
  expect(questions).toHaveLength(1);
});

test('a question names places that could not be read, and the settings of a link that is open to anyone', async () => {
  const host = await open(() => DECLINE);
  await host.call('create_link', { document_id: document(), fields: { allowed_emails: ['bob@acme.example'] } });
  expect(questions[0]).toContain('bob@acme.example');
  expect(questions[0]).not.toContain('anyone who has it');
  const heal = sandbox.faults.add({ path: '/links', status: 503 });
  await host.call('upload_document', { document_id: document(), content: PDF, name: 'N.pdf' });
  expect(firstRows(questions[1])).toContain('places that could not be read');
  heal();
});

test.each([
  [401, 'authentication_failed'],
  [429, 'rate_limited'],
  [503, 'service_failed'],
])('nobody is asked about an object that cannot be shown because its list answers %i', async (status, code) => {
  const [draft] = sandbox.snapshot().state.agreements.values();
  const plan = { changes: [{ id: await link(), fields: { email_required: false } }] };
  const host = await open(() => APPROVE);
  const heals = ['/agreements', '/links'].map((path) => sandbox.faults.add({ path, status }));
  expect((await host.call('send_agreement', { id: draft?.id })).error).toMatchObject({ code });
  expect((await host.call('update_links', plan)).error).toMatchObject({ code });
  expect(questions).toHaveLength(0);
  for (const heal of heals) heal();
});

test('nobody is asked about an object whose list came too late; a long list is searched as far as it came', async () => {
  const find = (items: readonly Json[]) => {
    async function* list() {
      yield* items;
      throw new TimeoutError('late');
    }
    return findInList({ client: { links: { list } }, options: {} } as never, { group: 'links', id: 'l1' });
  };
  await expect(find([])).rejects.toThrow(TimeoutError);
  expect(await find([{ id: 'l2' }])).toMatchObject({ kind: 'not-fully-searched', read: 1 });
});

test.each([{ document_id: 'doc_2' }, { password: null }])('a change %j names a missing email gate', async (fields) => {
  const { id } = await request('POST', '/links', { document_id: document() });
  const host = await open(() => ({ action: 'cancel' }));
  await host.call('update_link', { id, fields });
  await host.call('update_links', { changes: [{ id, fields }] });
  await host.call('update_link', { id, fields: { ...fields, email_required: true } });
  await host.call('update_link', { id: await link(), fields });
  const namesIt = questions.map((question) => firstRows(question).includes('no email gate'));
  expect(namesIt).toEqual([true, true, false, false]);
});

test.each([
  [null, null],
  ['****', '****'],
  ['s3cret', 'new'],
])('a secret shown as %j is changed to %j only after a question without its value', async (shown, passcode) => {
  const settings = { passcode: shown };
  const { id } = await request('POST', '/links', { document_id: document(), email_required: true, settings });
  const host = await open(() => APPROVE);
  const fields = { settings: { passcode } };
  expect((await host.call('update_link', { id, fields })).data).toMatchObject({ approved_by: 'form' });
  const { data } = await host.call('update_links', { changes: [{ id, fields }] });
  expect(data).toMatchObject({ approved_by: 'form', undo: [], note: expect.stringContaining('settings of') });
  for (const question of questions) expect(question).toMatch(/settings.passcode: (?:none|"\*{4}"|"new")(?! →)/);
  expect(questions).toHaveLength(2);
});

test.each([
  [{ settings: { theme: 'x', email_required: true } }, { settings: { theme: 'x' } }, 'email_required: true → left out'],
  [{ viewers: [{ email: 'a@b.example', nda: true }] }, { viewers: [{ email: 'a@b.example' }] }, 'nda: true → left out'],
  [{ settings: { a: 1, api_token: 's3cret' } }, { settings: { a: 1 } }, 'settings.api_token: "[redacted]" → left out'],
  [{ domains: ['a', 'b', 'c', 'd'] }, { domains: ['a', 'b', 'c', 'e'] }, '["d"] → ["e"] (3 unchanged)'],
])('with %j, the change %j names what it leaves out or adds', async (current, fields, expected) => {
  const { id } = await request('POST', '/links', { document_id: document(), email_required: true, ...current });
  const host = await open(() => DECLINE);
  expect((await host.call('update_link', { id, fields })).data).toMatchObject({ outcome: 'declined' });
  expect(firstRows(questions[0])).toContain(expected);
  expect(count('PATCH', /links/)).toBe(0);
});

test('a form shows the whole message and all recipients of a draft', async () => {
  const host = await open(() => DECLINE);
  const recipients = Array.from({ length: 40 }, (_, at) => `reader${at}@acme.example`);
  const fields = { document_id: document(), message: `${'Please sign. '.repeat(200)}The end.` };
  const { data } = await host.call('create_agreement', { name: 'NDA', recipients, fields });
  await host.call('send_agreement', { id: data['id'] });
  for (const text of ['The end."', ...recipients]) expect(questions[0]).toContain(text);
});

const longText = (first: string) => `${first}${' text'.repeat(20)}`;
test.each<[kind: string, message: string | null, words: string, draftText?: string]>([
  [
    'agreement',
    longText('New'),
    'message: "Old text text…xt text text …" → "New text text…xt text text …".',
    longText('Old'),
  ],
  ['agreement', 'New text', 'message: "Draft text" → "New text".'],
  ['agreement', null, 'message: "Draft text" → none.'],
  ['agreement', 'Draft text', 'message: "Draft text".'],
  ['proposal', 'New text', 'message: "Draft text" → "New text".'],
  ['proposal', null, 'message: "Draft text" → none.'],
])(
  "a question to send a draft %s with message %j shows the draft's too, and people get what it says",
  async (kind, message, words, draftText = 'Draft text') => {
    const host = await open(() => APPROVE);
    const draft = { recipients: ['ann@example.com'], fields: { document_id: document(), message: draftText } };
    const { data } = await host.call(`create_${kind}`, { name: 'NDA', ...draft });
    questions.length = 0;
    const sent = await host.call(`send_${kind}`, { id: data['id'], fields: { message } });
    expect(firstRows(questions[0])).toContain(words);
    expect(sent.data['message']).toBe(message ?? undefined);
    expect(sent.data).not.toHaveProperty('unconfirmed_fields');
  },
);

test.each(['modern', 'legacy', 'enterprise'])(
  'on a %s service, a question shows every amount of a proposal, because its recipients may get any of them',
  async (profile) => {
    const service = await closeAfterTest(createSandbox({ profile }));
    const forms: string[] = [];
    const form = async (message: string) => {
      forms.push(message);
      return DECLINE;
    };
    const host = await openHostOnSandbox(service, { form });
    const fields = { total: 9, items: [{ name: 'Licence', price: 13_650 }] };
    const { data } = await host.call('create_proposal', { name: 'Offer', recipients: ['ann@example.com'], fields });
    await host.call('send_proposal', { id: data['id'] });
    expect(forms[0]).toMatch(/^Send "Offer" to ann@example.com, with price "13650 USD" or "9\sUSD"\./);
  },
);

test('three simultaneous approvals for one room all count', async () => {
  const [room] = sandbox.snapshot().state.rooms.values();
  const documents = [...sandbox.snapshot().state.documents.keys()].slice(0, 3);
  const host = await open(() => APPROVE);
  const results = await Promise.all(
    documents.map((document_id) => host.call('add_room_file', { id: room?.id, fields: { document_id } })),
  );
  expect(results.map(({ data }) => data['done'])).toEqual([true, true, true]);
  expect(questions).toHaveLength(3);
});

const FILLER = { aaa: 'x'.repeat(70), bbb: 'y'.repeat(70), ccc: 'z'.repeat(70) };
const LONG = `bob@acme.example.${'a'.repeat(60)}.evil.example`;

type FirstRows = readonly [what: string, tool: string, toArguments: (id: unknown) => Json, words: string];
const GATE = { email_required: false };
const EVE = 'eve@evil.example';

test.each<FirstRows>([
  [
    'who gets access to a room',
    'add_room_group',
    (id) => ({ id, fields: { ...FILLER, emails: 'bob@acme.example, eve@evil.example' } }),
    'and eve@evil.example, with',
  ],
  ['access for everybody', 'create_room', () => ({ fields: { name: 'R', ...FILLER, public: true } }), 'public: true'],
  ['the domain of a long email', 'create_agreement', () => ({ fields: { send: true, cc: [LONG] } }), '.evil.example'],
  [
    'the domain of a long URL',
    'create_webhook',
    () => ({ url: `https://hooks.docshare.example.${'a'.repeat(60)}.evil.example/in`, events: ['link.viewed'] }),
    '.evil.example',
  ],
  ['a link that was not found', 'update_links', () => ({ changes: [{ id: 'lnk_none', fields: GATE }] }), '"lnk_none"'],
  ['a gate inside a list', 'update_link', (id) => ({ id, fields: { ...FILLER, gates: [GATE] } }), 'gate'],
  [
    'a deeply nested gate',
    'update_link',
    (id) => ({ id, fields: { ...FILLER, nda: false, deep: { er: GATE } } }),
    'deep.er.email_required: false',
  ],
  ...[
    { cc: [EVE] },
    { recipients: [{ email: EVE }] },
    { extra: { to: [{ address: EVE }] } },
    { recipients: `bob@acme.example, Eve <${EVE}>` },
    { ...FILLER, cc: [`bob@acme.example;${EVE}`] },
  ].map((fields): FirstRows => ['who else gets a document', 'send_agreement', (id) => ({ id, fields }), `${EVE} `]),
  ['a group of recipients', 'send_agreement', (id) => ({ id, fields: { recipients: 'grp_1' } }), 'recipients: "grp_1"'],
])('the first rows show %s, whatever other fields the call has', async (_, tool, toArguments, expected) => {
  const { agreements, rooms } = sandbox.snapshot().state;
  const draft = [...agreements.values()].find(({ status }) => status === 'draft');
  const [room] = rooms.values();
  const ids: Json = { update_link: await link(), send_agreement: draft?.id };
  await (await open(() => DECLINE)).call(tool, toArguments(ids[tool] ?? room?.id));
  expect(firstRows(questions[0])).toContain(expected);
});

test('with --host-asks, the tools that need the user are marked, and reading tools are not', async () => {
  const marked = async (args: readonly string[]) => {
    const tools = await (await open(() => DECLINE, { args })).tools();
    return tools.filter(({ _meta }) => _meta?.['anthropic/requiresUserInteraction'] === true).map(({ name }) => name);
  };
  expect(await marked([])).toEqual([]);
  const names = await marked(['--host-asks']);
  expect(names).toEqual(
    expect.arrayContaining(['send_agreement', 'delete_link', 'create_link', 'set_room_permissions']),
  );
  expect(names.filter((name) => /^(list|get|find|whoami|report)/.test(name))).toEqual([]);
});
