import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { withProfileSample } from './record-kind.ts';

export const document = withProfileSample({
  resource: 'document',
  noun: 'Document',
  list: (client, query, options) => client.documents.list(query, options),
  outputs: [
    { key: 'page_count', label: 'Page Count', type: 'integer', from: RECORD_FIELDS.pageCount },
    { key: 'content_type', label: 'File Type', from: RECORD_FIELDS.contentType },
    { key: 'size_bytes', label: 'Size in Bytes', type: 'integer', from: RECORD_FIELDS.sizeBytes },
    { key: 'updated_at', label: 'Updated At', type: 'datetime', from: RECORD_FIELDS.updatedAt },
  ],
  sample: {
    id: 'doc_7f3k2m9q',
    name: 'Series A Deck.pdf',
    page_count: 14,
    content_type: 'application/pdf',
    size_bytes: 2_481_152,
    updated_at: '2026-10-02T09:12:44.000Z',
    created_at: '2026-10-02T09:12:44.000Z',
    raw: { id: 'doc_7f3k2m9q', name: 'Series A Deck.pdf' },
  },
});
