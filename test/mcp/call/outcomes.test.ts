import { beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createClient, createLimiter } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { openHostOnSandbox, openHostOnService } from '../../support/mcp-host.ts';
import { openInProcess } from '../../support/mcp-in-process.ts';
import { texts } from '../texts.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
beforeEach(() => sandbox.log.clear());

test('arguments are accepted as hosts send them: null for blank, JSON as a string', async () => {
  const host = await openHostOnSandbox(sandbox, { args: ['--confirm', 'off'] });
  const made = await host.call('create_contact', { fields: '{"name":"Kim","email":"kim@example.com"}' });
  expect(made.data, made.text).toMatchObject({ done: true, name: 'Kim' });
  const listed = await host.call('list_contacts', { cursor: null, limit: null, query: null, detail: '' });
  expect(listed.data['items']).toHaveLength(1);
});

test.each([
  ['list_links', { limt: 5 }, /Unknown argument "limt"; did you mean "limit"\?/],
  ['list_links', { limit: 0 }, /limit: must be a whole number from 1 to 1000/],
  ['get_document', {}, /id is missing/],
  ['get_document', { id: '..' }, /must be the ID of an existing object/],
  ['update_contact', { id: '../links/l', fields: { a: 1 } }, /must be the ID of an existing object/],
  ['update_contact', { id: 'c\\..\\l', fields: { a: 1 } }, /must be the ID of an existing object/],
  ['get_usage', { x: 1 }, /takes no arguments/],
  ['get_document', JSON.parse('{"__proto__":{"id":"x"}}'), /id is missing/],
  ['create_contact', { fields: { a: 1 }, phone: 'x' }, /Unknown argument "phone".* into "fields"/],
  ['create_contact', { fields: { name: 'y' }, name: 'x' }, /fields\.name: use only the argument name/],
  ['create_agreement', { recipients: ['Ann'] }, /recipients\[0\]: must be an email address/],
  ['create_link', { document_id: 'd', room_id: 'r' }, /exactly one of document_id and room_id/],
  // A link opens nothing but the access that the question names, and a recipient changes only with an approval.
  ['share_document', { document_id: 'd', fields: { room_id: 'r' } }, /exactly one of document_id and room_id/],
  ['share_document', { document_id: 'd', fields: { document_id: 'e' } }, /only the argument document_id/],
  [
    'create_personal_links',
    { document_id: 'd', recipients: ['a@x.example'], fields: { extra: { room_id: 'r' } } },
    /exactly one of document_id and room_id/,
  ],
  ['add_contact_tags', { id: 'c', remove: ['x'], fields: { email: 'e@x.example' } }, /fields\.email: .*update_contact/],
  ['update_contact', { id: 'c', fields: { id: 'd' } }, /fields\.id: use only the argument id/],
  // A typo in `fields`, or a field that is set twice, does not remove a gate.
  [
    'update_link',
    { id: 'l', fields: { email_requred: true } },
    /unknown field email_requred; did you mean email_required\?/,
  ],
  [
    'create_link',
    { document_id: 'd', email_required: true, fields: { extra: { email_required: false } } },
    /email_required/,
  ],
  ['update_link', { id: 'l', fields: { email_required: 'no' } }, /email_required/],
  [
    'create_personal_links',
    { document_id: 'd', recipients: ['a@x.example'], fields: { extra: { Email_Required: 0 } } },
    /always ask for an email address/,
  ],
  ['update_links', { changes: [{ id: 'l', emial_required: false }] }, /email_required/],
  ['update_links', { changes: [{ id: 'l', fields: { id: 'm', name: 'N' } }] }, /fields\.id/],
  ['share_document', { document_id: 'd', url: 'https://x.example/a.pdf', email_required: false }, /exactly one file/],
  ['share_document', { email_required: false }, /exactly one file/],
  ['upload_document', { document_id: 'd' }, /exactly one of/],
  ['add_room_group', { id: '..', name: 'G', emails: ['a@x.example'] }, /must be the ID of an existing object/],
  ['create_webhook', { url: 'nonsense', events: ['x'] }, /url: must be a web address/],
  ['create_webhook', { url: 'https://a.example', events: [] }, /must contain at least one/],
])('%s %j is rejected before a request, and before any approval is requested', async (tool, args, sentence) => {
  for (const confirm of ['off', 'unattended']) {
    const host = await openHostOnSandbox(sandbox, { args: ['--confirm', confirm] });
    const { error, isError } = await host.call(tool, args);
    expect(isError).toBe(true);
    expect(error).toMatchObject({ code: 'invalid_arguments', message: expect.stringMatching(sentence) });
  }
  expect(sandbox.log.entries()).toEqual([]);
});

test('under extra a misspelled name is sent, and a string field called extra is sent unchanged', async () => {
  const answer = { json: { id: 'l', url: 'https://docs.test/l' } };
  const host = await openHostOnService(() => answer, { args: ['--confirm', 'off'] });
  await host.call('update_link', { id: 'l', fields: { extra: { email_requred: true } } });
  await host.call('update_link', { id: 'l', fields: { extra: 'x', password: 'p' } });
  expect(host.requests.map(({ body }) => JSON.parse(body))).toEqual([
    { email_requred: true },
    { extra: 'x', password: 'p' },
  ]);
});

test('every tool has a response even if the service returns only what its document promises', async () => {
  const host = await openHostOnService(
    ({ method, path }) => {
      if (method === 'POST' && path === '/links') return { json: { url: 'https://docs.example/l/1' } };
      return method === 'GET' && path.split('/').length === 2 ? { json: [] } : { status: 204 };
    },
    { args: ['--confirm', 'off'] },
  );
  const answers: Record<string, unknown> = {};
  for (const [name, args] of [
    ['list_rooms', {}],
    ['get_document', { id: 'd1' }],
    ['create_link', { document_id: 'd1', email_required: true }],
    ['create_room', { fields: { name: 'R' } }],
    ['set_room_permissions', { id: 'r1', fields: { rows: [] } }],
    ['add_room_folder', { id: 'r1', fields: { name: 'F' } }],
    ['send_agreement', { id: 'a1' }],
    ['delete_link', { id: 'l1' }],
  ] as const)
    answers[name] = (await host.call(name, args)).data;
  expect(answers).toEqual({
    list_rooms: { items: [] },
    get_document: { id: 'd1' },
    create_link: {
      approved_by: 'not_needed',
      done: true,
      url: 'https://docs.example/l/1',
      next: texts.serviceReturnedLinkId,
    },
    create_room: {
      approved_by: 'not_needed',
      done: true,
      unconfirmed_fields: expect.stringMatching(/as sent: name\. .*list_rooms/),
    },
    set_room_permissions: {
      approved_by: 'not_needed',
      done: true,
      id: 'r1',
      unconfirmed_fields: expect.stringContaining('sent: rows.'),
    },
    // An object created in a room does not have the ID of the room.
    add_room_folder: {
      approved_by: 'not_needed',
      done: true,
      unconfirmed_fields: expect.stringContaining('sent: name.'),
    },
    send_agreement: { approved_by: 'not_needed', sent: true, id: 'a1' },
    delete_link: { approved_by: 'not_needed', deleted: true, id: 'l1' },
  });
});

function clientWith(options: { requests: number; windowMs: number; maxWaitMs?: number }) {
  const { maxWaitMs = 60_000, ...limit } = options;
  return createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url, limiter: createLimiter(limit), maxWaitMs });
}

test('a wait for the rate limit is shown as progress, then the call continues', async () => {
  const client = await closeAfterTest(clientWith({ requests: 1, windowMs: 1500 }));
  const host = await closeAfterTest(openInProcess({ client }));
  const heard: string[] = [];
  const onprogress = ({ message }: { message?: string | undefined }) => heard.push(message ?? '');
  await host.client.callTool({ name: 'get_usage' }, undefined, { onprogress });
  expect((await host.client.callTool({ name: 'get_usage' }, undefined, { onprogress })).isError).toBeFalsy();
  expect(heard).toEqual([expect.stringMatching(/^waiting [12] s for the rate limit$/)]);
});

test('a wait above the maximum is an error that says when to retry', async () => {
  const client = await closeAfterTest(clientWith({ requests: 1, windowMs: 60_000, maxWaitMs: 1000 }));
  const host = await closeAfterTest(openInProcess({ client }));
  await host.client.callTool({ name: 'get_usage' });
  const { content, isError } = await host.client.callTool({ name: 'get_usage' });
  const { error } = JSON.parse((content as { text: string }[])[0]?.text ?? '');
  expect(isError).toBe(true);
  expect(error).toMatchObject({ code: 'rate_limited', retry_after_s: expect.any(Number) });
  expect(error.message).toMatch(/try again in \d+ s/);
});

test('a cancelled wait starts no request', async () => {
  const client = await closeAfterTest(clientWith({ requests: 1, windowMs: 1200 }));
  const host = await closeAfterTest(openInProcess({ client }));
  await host.client.callTool({ name: 'get_usage' });
  sandbox.log.clear();
  const abort = new AbortController();
  const call = host.client.callTool({ name: 'get_usage' }, undefined, { signal: abort.signal });
  setTimeout(() => abort.abort(), 100);
  await expect(call).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(sandbox.log.entries()).toEqual([]);
});
