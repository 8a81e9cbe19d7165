import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { outputFieldsFor, withProfileSample } from './record-kind.ts';

export const agreement = withProfileSample({
  resource: 'agreement',
  noun: 'Agreement',
  list: (client, query, options) => client.agreements.list(query, options),
  outputs: [
    { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
    { key: 'document_id', label: 'Document ID', from: RECORD_FIELDS.documentId },
    { key: 'template_id', label: 'Template ID', from: RECORD_FIELDS.templateId },
    { key: 'sent_at', label: 'Sent At', type: 'datetime', from: RECORD_FIELDS.sentAt },
    { key: 'signed_at', label: 'Signed At', type: 'datetime', from: RECORD_FIELDS.signedAt },
  ],
  sample: {
    id: 'agr_9s5w3p8k',
    name: 'Mutual NDA with Northwind',
    status: 'signed',
    document_id: 'doc_7f3k2m9q',
    template_id: 'tpl_1a4h6r2c',
    sent_at: '2026-10-06T10:00:00.000Z',
    signed_at: '2026-10-06T15:31:27.000Z',
    created_at: '2026-10-06T09:58:12.000Z',
    raw: { id: 'agr_9s5w3p8k', name: 'Mutual NDA with Northwind', status: 'signed' },
  },
});

export const signedAgreementOutput = {
  outputFields: [
    ...outputFieldsFor(agreement),
    { key: 'signed_document', label: 'Signed Document', type: 'file' as const },
  ],
  sample: { ...agreement.sample, signed_document: 'https://files.example.com/mutual-nda-with-northwind.pdf' },
};
