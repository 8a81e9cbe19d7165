import { beforeEach, describe, expect, test } from 'vitest';
import { getFormScopes, getStepScopes } from '../../scripts/zapier-scopes.ts';
import { SCOPES, type Scope } from '../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { type Fields, openZapierContext, type ZapierContext } from '../support/zapier-lambda.ts';

let context: ZapierContext;

const connect = async (apiKey: string, baseUrl = context.sandbox.url) => {
  const authData = { apiKey, baseUrl };
  const tested = await context.zap.run('authentication.test', { authData });
  return { tested, label: await context.zap.run('authentication.connectionLabel', { authData, inputData: tested }) };
};
const getError = (apiKey: string, baseUrl = context.sandbox.url) =>
  context.zap.runError('authentication.test', { authData: { apiKey, baseUrl } });
/** The word in the label for a key with one scope; other scopes are not named. */
const SHOWN: Partial<Record<Scope, string>> = {
  'documents:read': 'documents',
  'links:read': 'links',
  'datarooms:read': 'rooms',
  'envelopes:read': 'agreements',
  'contacts:read': 'contacts',
};
const hostOf = (url: string) => new URL(url).host;

describe('the connection test', () => {
  beforeEach(async () => {
    context = await closeAfterTest(openZapierContext());
  });

  test('accepts a key with all scopes, and the label names the host', async () => {
    const { tested, label } = await connect(context.key);
    expect(tested['readable']).toHaveLength(5);
    expect(label).toBe(`${hostOf(context.sandbox.url)} (can read documents, links, rooms, agreements, contacts)`);
  });

  test.each(SCOPES)('accepts a key with only the scope %s', async (scope: Scope) => {
    const { label } = await connect(context.sandbox.key([scope]));
    const word = SHOWN[scope];
    expect(label).toBe(`${hostOf(context.sandbox.url)} (${word === undefined ? 'limited key' : `can read ${word}`})`);
  });

  test('uses https for a base URL without a scheme, and rejects http', async () => {
    expect((await getError(context.key, 'http://docs.example.com/api/v1')).message).toContain('https://');
    const host = hostOf(context.sandbox.url);
    expect((await getError(context.key, `${host}/api/v1`)).message).toContain(`https://${host}`);
  });

  test('reports a wrong base URL', async () => {
    expect((await getError(context.key, `${context.sandbox.origin}/elsewhere`)).message).toContain('/api/v1');
  });
});

test.each(['modern', 'gateway'] as const)('a revoked or mistyped key is rejected by "%s"', async (profile) => {
  context = await closeAfterTest(openZapierContext(profile));
  const revoked = context.sandbox.key();
  context.sandbox.revoke(revoked);
  for (const key of [revoked, 'mistyped'])
    expect((await getError(key)).message).toMatch(/API key.*Settings → API keys/);
});

const shared = await closeAfterAll(openZapierContext());
const { link, agreement } = await shared.share();
const room = await shared.act('create_room', { name: 'Room' });
const [contact] = await shared.zap.trigger('contact_list');
const [template] = await shared.zap.trigger('template_list');
const ids: Readonly<Record<string, unknown>> = {
  link: link['id'],
  document: link['document_id'],
  agreement,
  room: room['id'],
  contact: contact?.['id'],
  template: template?.['id'],
};

const STEPS: readonly (readonly [string, Fields])[] = [
  ['triggers.new_document', {}],
  ['triggers.new_room', {}],
  ['triggers.updated_contact', {}],
  ['triggers.agreement_status_changed', {}],
  ['triggers.new_visitor', { link: 'link' }],
  ['triggers.new_invoice', {}],
  ['creates.create_link', { document: 'document', email_required: true }],
  ['creates.update_link', { link: 'link', email_required: false }],
  ['creates.create_room', { name: 'Another' }],
  ['creates.add_room_folder', { room: 'room', name: 'Folder' }],
  ['creates.add_room_group', { room: 'room', name: 'Group' }],
  ['creates.upload_document', { file: 'data:,Words.' }],
  ['creates.share_document', { file: 'data:,Words.' }],
  ['creates.create_contact', { email: 'new@x.example' }],
  ['creates.add_contact_tags', { contact: 'contact', tags: ['a'] }],
  ['creates.create_agreement', { document: 'document', name: 'NDA', signer_emails: ['a@x.example'] }],
  ['creates.create_template', { document: 'document', name: 'NDA' }],
  ['creates.update_template', { template: 'template', name: 'NDA 2' }],
  ['searches.find_room', { name: 'Room' }],
  ['searches.find_contact', { query: 'Nobody' }],
  ['searches.get_link_analytics', { link: 'link' }],
  ['searches.list_link_visitors', { link: 'link' }],
  ['searches.get_usage', {}],
];

test.each(STEPS)('%s works with the scopes in the table', async (step, input) => {
  const key = step.split('.')[1] ?? '';
  const scopes = getStepScopes(key) as Scope[];
  expect(scopes).not.toEqual([]);
  const named = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'string' && value in ids ? ids[value] : value,
  ]);
  const authData = { apiKey: shared.sandbox.key(scopes), baseUrl: shared.sandbox.url };
  await shared.zap.run(`${step}.operation.perform`, { authData, inputData: Object.fromEntries(named) });
});

test('the table includes hidden parts of a step and its drop-downs', () => {
  expect(getStepScopes('send_and_wait')).toEqual(['envelopes:read', 'envelopes:write', 'webhooks:write']);
  expect(getStepScopes('link_viewed')).toContain('webhooks:write');
  expect(getFormScopes([{ dynamic: 'room_list.id.name' }])).toEqual(['datarooms:read']);
});
