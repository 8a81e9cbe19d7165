import { RECORD_FIELDS } from '../../src/assumptions.ts';
import type { RecordKind } from '../record.ts';

export const link: RecordKind = {
  resource: 'link',
  noun: 'Link',
  list: (client, query) => client.links.list(query),
  outputs: [
    { key: 'url', label: 'Link Address', from: RECORD_FIELDS.url },
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
};
