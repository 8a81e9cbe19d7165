import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderForFile } from './cleanup.ts';
import type { Host, Json, Outcome } from './mcp-host.ts';

/** Creates a folder with a small and a large file to upload, and removes it after the last test of the file. */
export function createFolder(): string {
  const path = createFolderForFile('docshare-mcp-test-');
  writeFileSync(join(path, 'small.pdf'), `%PDF-1.4\n${'x'.repeat(2000)}`);
  writeFileSync(join(path, 'large.pdf'), Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(5_000_000, 1)]));
  return path;
}

/** Calls every tool, with IDs only from results. The server needs `--confirm off` and the folder's files. */
export async function callEveryTool(
  host: Host,
  shapes: { recipients?: Json; visited?: (linkId: string) => Promise<void> } = {},
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const call = async (name: string, args: Json = {}): Promise<string> => {
    const outcome = await host.call(name, args);
    const before = outcomes.get(name);
    if (!before?.isError) outcomes.set(name, outcome);
    return String(outcome.data.id ?? '');
  };
  const firstId = (name: string): string => {
    const items = outcomes.get(name)?.data.items;
    return Array.isArray(items) ? String((items[0] as Json | undefined)?.id ?? '') : '';
  };
  const document = await call('upload_document', { path: 'small.pdf', name: 'Small.pdf' });
  await call('upload_document', { path: 'large.pdf' });
  await call('upload_document', { path: 'small.pdf', document_id: document });
  await call('list_documents');
  await call('get_document', { id: document });
  await call('list_document_pages', { id: document });

  const link = await call('create_link', { document_id: document, email_required: true });
  await call('list_links');
  const linkId = link || firstId('list_links');
  await call('update_link', { id: linkId, fields: { email_required: true } });
  await shapes.visited?.(linkId);
  await call('get_link_analytics', { id: linkId });
  await call('list_link_visitors', { id: linkId });
  await call('get_visit', { id: await visitOf(host, linkId) });

  const room = await call('create_room', { fields: { name: 'Deal room' } });
  await call('list_rooms');
  await call('add_room_folder', { id: room, fields: { name: 'Legal' } });
  await call('add_room_file', { id: room, fields: { document_id: document } });
  const group = await call('add_room_group', { id: room, fields: { name: 'Buyers', emails: ['a@example.com'] } });
  await call('set_room_permissions', { id: room, fields: { permissions: [{ group_id: group, access: 'view' }] } });
  await call('get_room_analytics', { id: room });

  const signer = { name: 'Sam Signer', email: 'sam@example.com' };
  const agreement = await call('create_agreement', {
    fields: { name: 'NDA', document_id: document, ...(shapes.recipients ?? { recipients: [signer] }) },
  });
  await call('list_agreements');
  await call('send_agreement', { id: agreement });
  await call('download_agreement', { id: agreement });

  const proposal = await call('create_proposal', {
    fields: { name: 'Offer', title: 'Offer', ...(shapes.recipients ?? { recipients: [signer] }) },
  });
  await call('list_proposals');
  await call('send_proposal', { id: proposal });

  const template = await call('create_template', { fields: { name: 'NDA', document_id: document } });
  await call('list_templates');
  await call('get_template', { id: template });
  await call('update_template', { id: template, fields: { name: 'NDA 2' } });
  await call('delete_template', { id: template });

  const contact = await call('create_contact', { fields: { email: 'kim@example.com', name: 'Kim' } });
  await call('list_contacts');
  await call('update_contact', { id: contact, fields: { name: 'Kim B.' } });
  await call('add_contact_tags', { id: contact, fields: { tags: ['lead'] } });

  const webhook = await call('create_webhook', { url: 'https://example.com/hook', events: ['link.viewed'] });
  await call('list_webhooks');
  await call('delete_webhook', { id: webhook || firstId('list_webhooks') });

  await call('get_subscription');
  await call('list_invoices');
  await call('get_usage');
  await call('delete_link', { id: linkId });
  return outcomes;
}

/** A visit's id, as the report of the link joins them. */
async function visitOf(host: Host, linkId: string): Promise<string> {
  const { data } = await host.call('report_link', { id: linkId, detail: 'full' });
  const visitors = (data['visitors'] ?? []) as { visits?: Json[] }[];
  return String(visitors[0]?.visits?.[0]?.['id'] ?? 'visit_1');
}
