/** Kinds of records that steps read and write. */
import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { getTextField, getTitle } from '../platform/client-core.ts';
import { defineRecordKind, outputFieldsFor } from './record-kind.ts';

export const document = defineRecordKind('document', {
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

export const link = defineRecordKind('link', {
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

export const room = defineRecordKind('room', {
  outputs: [
    { key: 'url', label: 'Room URL', from: RECORD_FIELDS.url },
    { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
    { key: 'updated_at', label: 'Updated At', type: 'datetime', from: RECORD_FIELDS.updatedAt },
  ],
  sample: {
    id: 'room_2b6v9z1n',
    name: 'Northwind Due Diligence',
    url: 'https://share.example.com/r/2b6v9z1n',
    status: 'active',
    updated_at: '2026-10-05T14:02:10.000Z',
    created_at: '2026-10-03T08:00:00.000Z',
    raw: { id: 'room_2b6v9z1n', name: 'Northwind Due Diligence' },
  },
});

export const agreement = defineRecordKind('agreement', {
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

export const proposal = defineRecordKind('proposal', {
  outputs: [
    { key: 'url', label: 'Proposal URL', from: RECORD_FIELDS.url },
    { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
    { key: 'sent_at', label: 'Sent At', type: 'datetime', from: RECORD_FIELDS.sentAt },
  ],
  sample: {
    id: 'prp_5e7u0j3y',
    name: 'Website Relaunch for Northwind',
    url: 'https://share.example.com/p/5e7u0j3y',
    status: 'draft',
    sent_at: '2026-10-07T08:30:00.000Z',
    created_at: '2026-10-07T08:15:40.000Z',
    raw: { id: 'prp_5e7u0j3y', name: 'Website Relaunch for Northwind' },
  },
});

export const template = defineRecordKind('template', {
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

export const contact = defineRecordKind('contact', {
  outputs: [
    { key: 'email', label: 'Email', from: RECORD_FIELDS.email },
    { key: 'company', label: 'Company', from: RECORD_FIELDS.company },
    { key: 'updated_at', label: 'Updated At', type: 'datetime', from: RECORD_FIELDS.updatedAt },
  ],
  label: (item) => {
    const name = getTitle(item);
    const email = getTextField(item, RECORD_FIELDS.email);
    return email === undefined || email === name ? name : `${name} (${email})`;
  },
  sample: {
    id: 'con_8y2q6l4d',
    name: 'Ann Northwind',
    email: 'ann@northwind.example',
    company: 'Northwind Ltd',
    updated_at: '2026-10-01T07:20:00.000Z',
    created_at: '2026-09-28T13:37:05.000Z',
    raw: { id: 'con_8y2q6l4d', email: 'ann@northwind.example' },
  },
});

export const signedAgreementOutput = {
  outputFields: [
    ...outputFieldsFor(agreement),
    { key: 'signed_document', label: 'Signed Document', type: 'file' as const },
  ],
  sample: { ...agreement.sample, signed_document: 'https://files.example.com/mutual-nda-with-northwind.pdf' },
};

/** In the order of the app's lists. */
export const records = [document, link, room, agreement, proposal, template, contact];
