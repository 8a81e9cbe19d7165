import { expect, test } from 'vitest';
import { getFormScopes, getStepScopes } from '../../scripts/zapier-scopes.ts';
import type { Scope } from '../../src/index.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { type Fields, openZapierContext } from '../support/zapier-lambda.ts';

const context = await closeAfterAll(openZapierContext());
const { link, agreement } = await context.share();
const room = await context.act('create_room', { name: 'Room' });
const [contact] = await context.zap.trigger('contact_list');
const [template] = await context.zap.trigger('template_list');
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
  const authData = { apiKey: context.sandbox.key(scopes), baseUrl: context.sandbox.url };
  await context.zap.run(`${step}.operation.perform`, { authData, inputData: Object.fromEntries(named) });
});

test('the table includes hidden parts of a step and its drop-downs', () => {
  expect(getStepScopes('send_and_wait')).toEqual(['envelopes:read', 'envelopes:write', 'webhooks:write']);
  expect(getStepScopes('link_viewed')).toContain('webhooks:write');
  expect(getFormScopes([{ dynamic: 'room_list.id.name' }])).toEqual(['datarooms:read']);
});
