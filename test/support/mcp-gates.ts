import type { Json } from './mcp-host.ts';

/** A call that needs a person's approval, and its requests to the service, in the service's own names. */
export interface GatedCall {
  readonly tool: string;
  readonly args: Json;
  readonly operation: string;
  /** Other calls with the same effect. */
  readonly same?: readonly { readonly tool: string; readonly args: Json }[];
}

const recipients = [{ email: 'sam@example.com' }];

/** Written by hand from what each call may do to other people, not generated from the tools. */
export const gatedCalls: readonly GatedCall[] = [
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
  },
  { tool: 'update_link', args: { id: 'l1', fields: { document_id: 'd9', name: 'N' } }, operation: 'links.update' },
  { tool: 'delete_link', args: { id: 'l1' }, operation: 'links.delete' },
  { tool: 'create_room', args: { fields: { name: 'R', public: true } }, operation: 'rooms.create' },
  {
    tool: 'add_room_folder',
    args: { id: 'r1', fields: { name: 'F', visible_to: 'all' } },
    operation: 'rooms.addFolder',
  },
  { tool: 'add_room_file', args: { id: 'r1', fields: { document_id: 'd1' } }, operation: 'rooms.addFile' },
  {
    tool: 'add_room_group',
    args: { id: 'r1', fields: { name: 'G', emails: ['x@example.com'] } },
    operation: 'rooms.addGroup',
  },
  { tool: 'set_room_permissions', args: { id: 'r1', fields: { permissions: [] } }, operation: 'rooms.setPermissions' },
  { tool: 'create_agreement', args: { fields: { name: 'A', recipients, send: true } }, operation: 'agreements.create' },
  {
    tool: 'send_agreement',
    args: { id: 'a1' },
    operation: 'agreements.send',
    same: [
      { tool: 'send_agreement', args: { id: 'a1', fields: {} } },
      { tool: 'send_agreement', args: { id: ' a1 ', fields: { note: null } } },
    ],
  },
  { tool: 'create_proposal', args: { fields: { name: 'P', status: 'sent' } }, operation: 'proposals.create' },
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
