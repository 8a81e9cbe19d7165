import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { withProfileSample } from './record-kind.ts';

export const template = withProfileSample({
  resource: 'template',
  noun: 'Template',
  list: (client, query, options) => client.templates.list(query, options),
  outputs: [
    { key: 'document_id', label: 'Document ID', from: RECORD_FIELDS.documentId },
    { key: 'updated_at', label: 'Updated At', type: 'datetime', from: RECORD_FIELDS.updatedAt },
  ],
  sample: {
    id: 'tpl_1a4h6r2c',
    name: 'Mutual NDA',
    document_id: 'doc_7f3k2m9q',
    updated_at: '2026-09-30T16:45:00.000Z',
    created_at: '2026-09-12T11:05:33.000Z',
    raw: { id: 'tpl_1a4h6r2c', name: 'Mutual NDA' },
  },
});
