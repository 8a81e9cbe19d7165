import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import type { Client } from '../platform/client-core.ts';
import { getTextField, idOf } from '../platform/client-core.ts';
import { collectItems, getReadItems } from './read-list.ts';
import { withProfileSample } from './record-kind.ts';

export const link = withProfileSample({
  resource: 'link',
  noun: 'Link',
  list: (client, query, options) => client.links.list(query, options),
  outputs: [
    { key: 'url', label: 'Link URL', from: RECORD_FIELDS.url },
    { key: 'document_id', label: 'Document ID', from: RECORD_FIELDS.documentId },
    { key: 'email_required', label: 'Email Required', type: 'boolean', from: RECORD_FIELDS.emailRequired },
    { key: 'expires_at', label: 'Expires At', type: 'datetime', from: RECORD_FIELDS.expiresAt },
  ],
  sample: {
    id: 'lnk_4c8d1x7t',
    name: 'Deck for Northwind',
    url: 'https://share.example.com/l/4c8d1x7t',
    document_id: 'doc_7f3k2m9q',
    email_required: true,
    expires_at: '2026-12-31T22:59:59.000Z',
    created_at: '2026-10-02T09:20:01.000Z',
    raw: { id: 'lnk_4c8d1x7t', url: 'https://share.example.com/l/4c8d1x7t', document_id: 'doc_7f3k2m9q' },
  },
});

/** ID of a new link. §4: the response may have only the URL; then the list of links shows the ID. */
export async function resolveLinkId(client: Client, created: { url: string }): Promise<string | undefined> {
  const ownId = idOf(created, 'link');
  if (ownId !== undefined) return ownId;
  const isCreatedLink = (item: unknown) => getTextField(item, RECORD_FIELDS.url) === created.url;
  // The link exists even if the key may not read links.
  const reading = await collectItems(
    (query, options) => client.links.list(query, options),
    (itemsRead) => itemsRead.some(isCreatedLink),
  ).catch(() => undefined);
  return reading && idOf(getReadItems(reading).find(isCreatedLink), 'link');
}
