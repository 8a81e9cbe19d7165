import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createClient } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../../support/cleanup.ts';
import { answerForms, type Host, type Json, KINDS, openHost, openHostOnSandbox } from '../../support/mcp-host.ts';

/** A call that needs a person's approval, and its requests to the service, in the service's own names. */
interface GatedCall {
  readonly tool: string;
  readonly args: Json;
  readonly operation: string;
  /** Other calls with the same effect. */
  readonly same?: readonly { readonly tool: string; readonly args: Json }[];
}

const recipients = [{ email: 'sam@example.com' }];

/** Written by hand from what each call may do to other people, not generated from the tools. */
const gatedCalls: readonly GatedCall[] = [
  {
    tool: 'create_link',
    args: { document_id: 'd1' },
    operation: 'links.create',
    same: [
      { tool: 'create_link', args: { document_id: 'd1', email_required: false } },
      { tool: 'create_link', args: { document_id: 'd1', fields: { email_required: false } } },
      { tool: 'share_document', args: { document_id: 'd1', email_required: false } },
    ],
  },
  {
    tool: 'share_document',
    args: { document_id: 'd2', email_required: false },
    operation: 'links.create',
    same: [{ tool: 'create_link', args: { document_id: 'd2' } }],
  },
  {
    tool: 'create_link',
    args: { document_id: 'd3', email_required: true, fields: { allowed_emails: ['x@example.com'] } },
    operation: 'links.create',
    same: [
      {
        tool: 'create_personal_links',
        args: { document_id: 'd3', recipients: ['a@b.io'], fields: { allowed_emails: 1 } },
      },
    ],
  },
  {
    tool: 'create_personal_links',
    args: { document_id: 'd4', recipients: ['a@b.io'] },
    operation: 'links.create',
    same: [{ tool: 'create_link', args: { document_id: 'd4', email_required: true, fields: { try: 1 } } }],
  },
  {
    tool: 'update_link',
    args: { id: 'l1', fields: { document_id: 'd9', name: 'N' } },
    operation: 'links.update',
    same: [{ tool: 'update_link', args: { id: 'l1', fields: { document: { id: 'd9' } } } }],
  },
  { tool: 'delete_link', args: { id: 'l1' }, operation: 'links.delete' },
  {
    tool: 'create_room',
    args: { fields: { name: 'R', public: true } },
    operation: 'rooms.create',
    same: [{ tool: 'create_room', args: { fields: { name: 'S', extra: { public: true } } } }],
  },
  { tool: 'add_room_folder', args: { id: 'r1', fields: { name: 'F', visible_to: 1 } }, operation: 'rooms.addFolder' },
  {
    tool: 'add_room_file',
    args: { id: 'r1', fields: { document_id: 'd1' } },
    operation: 'rooms.addFile',
    same: [{ extra: { document_id: 'd1' } }, { document: { id: 'd1' } }, { document_id: 'd2', documentId: 'd1' }].map(
      (fields) => ({ tool: 'add_room_file', args: { id: 'r1', fields } }),
    ),
  },
  {
    tool: 'add_room_group',
    args: { id: 'r1', fields: { name: 'G', emails: ['x@example.com'] } },
    operation: 'rooms.addGroup',
    same: [{ tool: 'add_room_group', args: { id: 'r1', emails: ['y@example.com', 'X <X@example.com>'] } }],
  },
  { tool: 'set_room_permissions', args: { id: 'r1', fields: { permissions: [] } }, operation: 'rooms.setPermissions' },
  {
    tool: 'create_agreement',
    args: { fields: { name: 'A', recipients, send: true } },
    operation: 'agreements.create',
    same: [
      { tool: 'create_agreement', args: { fields: { recipients: [{ email: 'eve@a.io' }, ...recipients], send: 1 } } },
    ],
  },
  {
    tool: 'send_agreement',
    args: { id: 'a1' },
    operation: 'agreements.send',
    same: [
      { tool: 'send_agreement', args: { id: 'a1', fields: {} } },
      { tool: 'send_agreement', args: { id: ' a1 ', fields: { note: null } } },
    ],
  },
  {
    tool: 'create_proposal',
    args: { fields: { name: 'P', status: 'sent' } },
    operation: 'proposals.create',
    same: [{ tool: 'create_proposal', args: { fields: { document_id: 'd1', status: 'sent' } } }],
  },
  { tool: 'send_proposal', args: { id: 'p1' }, operation: 'proposals.send' },
  { tool: 'update_template', args: { id: 't1', fields: { body: 'x' } }, operation: 'templates.update' },
  { tool: 'update_contact', args: { id: 'c1', fields: { email: 'x@example.com' } }, operation: 'contacts.update' },
  { tool: 'delete_template', args: { id: 't1' }, operation: 'templates.delete' },
  {
    tool: 'create_webhook',
    args: { url: 'https://a.example/hook', events: ['link.viewed'] },
    operation: 'webhooks.create',
  },
  { tool: 'delete_webhook', args: { id: 'w1' }, operation: 'webhooks.delete' },
];

const folder = createFolderForFile('docshare-trace-');
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
beforeEach(() => sandbox.log.clear());

const writes = () => sandbox.log.entries().flatMap(({ method, operation }) => (method === 'GET' ? [] : [operation]));

/** The response of a user who declines, and of one who approves. */
const NO: Json = { action: 'decline' };
const YES: Json = { action: 'accept', content: { confirm: true } };
const reversed = (args: Json) => Object.fromEntries(Object.entries(args).reverse());

/** Repeats a call in every way a model might try after a decline. Each result should say that it was declined. */
async function tryAgain(host: Host, { tool, args, same = [] }: GatedCall): Promise<Json[]> {
  const ways = [{ tool, args }, { tool, args: reversed(args) }, ...same];
  const answers: Json[] = [];
  for (const way of ways) answers.push((await host.call(way.tool, way.args)).data);
  return answers;
}

describe.each(KINDS)('%s: after a decline', { timeout: 90_000 }, (kind) => {
  test('no gated action sends a request: not again, in another order, by another tool, after a restart or at a second server', async () => {
    const shared = {
      state: mkdtempSync(join(folder, 'state-')),
      env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url },
    };
    let asked = 0;
    const form = async () => {
      asked += 1;
      return NO;
    };
    const withForms = await openHost({ ...shared, kind, form });
    const withoutForms = await openHost({ ...shared, kind });
    for (const gated of gatedCalls) {
      const { data } = await withForms.call(gated.tool, gated.args);
      const answers = [data, ...(await tryAgain(withForms, gated)), ...(await tryAgain(withoutForms, gated))];
      for (const answer of answers) expect(answer, gated.tool).toMatchObject({ done: false, outcome: 'declined' });
      expect(JSON.stringify(answers)).not.toContain('"confirm_token"');
    }
    // One form per action, however often it was tried.
    expect(asked).toBe(gatedCalls.length);
    await withForms.close();
    await withoutForms.close();
    const restarted = await closeAfterTest(openHost({ ...shared, kind, form: async () => YES }));
    for (const gated of gatedCalls)
      for (const answer of await tryAgain(restarted, gated))
        expect(answer, gated.tool).toMatchObject({ done: false, outcome: 'declined' });
    expect(writes()).toEqual([]);
  });
});

describe.each(KINDS)('%s: after an approval', { timeout: 90_000 }, (kind) => {
  test('each gated action sends one request, with the values that the form showed', async () => {
    const { questions: messages, form } = answerForms();
    const host = await openHostOnSandbox(sandbox, { kind, form });
    for (const { tool, args, operation } of gatedCalls) {
      sandbox.log.clear();
      await host.call(tool, args);
      expect(writes(), tool).toEqual([operation]);
      for (const value of Object.values({ ...args, ...(args['fields'] as Json), fields: '' }))
        if (typeof value === 'string') expect(messages.at(-1), tool).toContain(value);
    }
    expect(messages).toHaveLength(gatedCalls.length);
  });
});

describe('sdk 2.x modern: a decline counts, although meanwhile', () => {
  const declineAfter = (change: () => Promise<unknown>, args: readonly string[] = []) =>
    closeAfterTest(
      openHostOnSandbox(sandbox, { kind: 'sdk 2.x modern', args, form: async () => change().then(() => NO) }),
    );

  test('the change needs no question any more', async () => {
    const service = createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url });
    const document = await service.upload(Buffer.from('%PDF-1.4 one'), { name: 'a.pdf' });
    const link = await service.links.create({ document_id: document.id, email_required: true });
    const host = await declineAfter(() => service.links.delete({ id: String(link['id']) }));
    const args = { document_id: document.id, name: 'b.pdf', content: Buffer.from('%PDF-1.4 two').toString('base64') };
    for (const _ of ['declined', 'again'])
      expect((await host.call('upload_document', args)).data).toMatchObject({ outcome: 'declined' });
  });

  test('another approved action has reached the hourly limit', async () => {
    const other = { document_id: 'd1', email_required: true };
    const limit = ['--actions-per-hour', '1'];
    const host = await declineAfter((): Promise<unknown> => host.call('create_link', other), limit);
    expect((await host.call('delete_link', { id: 'l1' })).data).toMatchObject({ outcome: 'declined' });
  });
});

test('a declined expiry is not set once the link has a later one', async () => {
  const key = sandbox.key();
  const service = createClient({ apiKey: key, baseUrl: sandbox.url });
  const document = await service.upload(Buffer.from('%PDF-1.4 one'), { name: 'a.pdf' });
  const id = String((await service.links.create({ document_id: document.id }))['id']);
  await service.links.update({ id, expires_at: '2099-01-01T00:00:00Z' });
  const host = await openHostOnSandbox(sandbox, { env: { DOCSHARE_API_KEY: key }, form: async () => NO });
  for (const name of ['expires_at', 'expires_at', 'ExpiresAt']) {
    const { data } = await host.call('update_link', { id, fields: { [name]: '2099-02-01T00:00:00Z' } });
    expect(data).toMatchObject({ outcome: 'declined' });
    await service.links.update({ id, expires_at: '2099-06-01T00:00:00Z' });
  }
});

test.each<[tool: string, declined: Json, unasked: Json]>([
  ['update_template', { Tags: ['a'] }, { tags: ['b'] }],
  ['update_link', { Notes: 'a' }, { notes: 'b' }],
  ['update_link', { extra: { EmailRequired: true } }, { email_required: true }],
])('a decline of %s with %j holds for %j, which needs no question otherwise', async (tool, declined, unasked) => {
  const key = sandbox.key();
  const service = createClient({ apiKey: key, baseUrl: sandbox.url });
  const document = await service.upload(Buffer.from('%PDF-1.4 one'), { name: 'a.pdf' });
  const { id } =
    tool === 'update_link'
      ? await service.links.create({ document_id: document.id })
      : await service.templates.create({ name: 'T' });
  const host = await openHostOnSandbox(sandbox, { env: { DOCSHARE_API_KEY: key }, form: async () => NO });
  for (const fields of [declined, unasked, declined])
    expect((await host.call(tool, { id, fields })).data).toMatchObject({ outcome: 'declined' });
});

const toDraft = (email: string, template_id: string) => ({ recipients: [email], fields: { template_id, fee: 1 } });
const toMsa = (document_id: string, name: string) => ({ name, recipients: ['a@b.io'], fields: { document_id } });
const toNda = (email: string) => ({ fields: { template_id: 't1', recipients: [{ email, role: 'Client' }] } });
const toGroup = (email: string) => ({ id: 'r1', emails: [email] });
const toPlan = (email_required: boolean) => ({ changes: [{ id: 'l1', email_required }] });
test.each([
  ['create_agreement', toDraft('a@example.com', 't1'), toDraft('a@example.com', 't2')],
  ['create_agreement', toDraft('a@example.com', 't1'), toDraft('b@example.com', 't1')],
  ['add_room_group', toGroup('a@example.com'), toGroup('b@example.com')],
  ['create_agreement', { fields: { document_ids: ['d1'] } }, { fields: { document_ids: ['d2'] } }],
  ['add_room_group', { id: 'r1', fields: { domain: 'a.io' } }, { id: 'r1', fields: { domain: 'b.io' } }],
  ['update_links', toPlan(false), toPlan(true)],
  ['update_contact', { id: 'c1', fields: { owner_id: 'u1' } }, { id: 'c1', fields: { email: 'a@example.com' } }],
])('a decline of %s with %j does not cover %j', async (tool, args, others) => {
  const { questions, form } = answerForms(NO);
  const host = await openHostOnSandbox(sandbox, { form });
  for (const one of [args, args, others])
    expect((await host.call(tool, one)).data).toMatchObject({ outcome: 'declined' });
  expect(questions).toHaveLength(2);
});

test.each<[tool: string, declined: Json, same: Json, other: Json]>([
  ['create_room', { name: 'A' }, { fields: { name: 'A' } }, { name: 'B' }],
  ['add_room_folder', { id: 'r', name: 'A' }, { id: 'r', fields: { name: 'A' } }, { id: 'r', name: 'B' }],
  ['create_contact', { name: 'A' }, { name: 'A', email: 'a@example.com' }, { name: 'B', email: 'b@example.com' }],
  ['create_agreement', { recipients: ['a@b.io'] }, { recipients: ['a@b.io'], name: 'N' }, { recipients: ['c@b.io'] }],
  ['create_agreement', toNda('a@b.io'), { name: 'N', ...toDraft('A <a@b.io>', 't1') }, toNda('c@b.io')],
  ['create_agreement', toMsa('d1', 'N'), toMsa('d1', 'M'), toMsa('d2', 'N')],
  ['add_contact_tags', { ids: ['c1'], tags: ['x'] }, { ids: ['c1'], tags: ['y'] }, { ids: ['c2'], tags: ['x'] }],
])('if every write is asked about, a decline of %s with %j covers %j, but not %j', async (tool, ...calls) => {
  const { questions, form } = answerForms(NO);
  const host = await openHostOnSandbox(sandbox, { form, args: ['--confirm', 'always'] });
  const asked: number[] = [];
  for (const args of calls) {
    expect((await host.call(tool, args)).data).toMatchObject({ outcome: 'declined' });
    asked.push(questions.length);
  }
  expect(asked).toEqual([1, 1, 2]);
});

test('a decline of the permissions of one group covers the whole matrix, but not another group', async () => {
  const { rooms } = createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url });
  const id = String((await rooms.create({ name: 'R' }))['id']);
  const mine = (await rooms.addGroup({ id, name: 'Mine' }))['id'];
  const other = (await rooms.addGroup({ id, name: 'Other' }))['id'];
  const toFields = (group_id: unknown) => ({ permissions: [{ group_id, access: 'view' }] });
  await rooms.setPermissions({ id, permissions: [{ group_id: other, access: 'none' }] });
  const { questions, form } = answerForms(NO);
  const host = await openHostOnSandbox(sandbox, { form });
  for (const [group, keep_others] of [
    [mine, true],
    ['Mine', true],
    [other, false],
    [other, true],
  ]) {
    const { data } = await host.call('set_room_permissions', { id, keep_others, fields: toFields(group) });
    expect(data).toMatchObject({ outcome: 'declined' });
  }
  expect(questions.map((question) => /"(?:Mine|Other)"/.exec(question)?.[0])).toEqual(['"Mine"', '"Other"']);
});

test('two keys share neither declines nor tokens', async () => {
  const state = mkdtempSync(join(folder, 'state-'));
  const of = (key: string) => ({ state, env: { DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: sandbox.url } });
  const mine = of(sandbox.key());
  const no = await openHost({ ...mine, form: async () => NO });
  expect((await no.call('delete_link', { id: 'l' })).data).toMatchObject({ outcome: 'declined' });
  await no.close();
  const other = await openHost(of(sandbox.key()));
  const { data } = await other.call('delete_link', { id: 'l' });
  expect(data).toMatchObject({ done: false, confirm_token: expect.any(String) });
  const { confirm_token } = data;
  await other.close();
  const again = await closeAfterTest(openHost(mine));
  const { data: preview } = await again.call('delete_link', { id: 'm' });
  const { error } = await again.call('delete_link', { id: 'm', confirm_token });
  expect(error).toMatchObject({ fault: 'other_key' });
  expect(writes()).toEqual([]);
  // A token works once, whichever server gets it.
  const second = await closeAfterTest(openHost(mine));
  await second.call('delete_link', { id: 'm', confirm_token: preview['confirm_token'] });
  expect(writes()).toEqual(['links.delete']);
  const spent = await again.call('delete_link', { id: 'm', confirm_token: preview['confirm_token'] });
  expect(spent.error).toMatchObject({ fault: 'used' });
  expect(writes()).toEqual(['links.delete']);
});
