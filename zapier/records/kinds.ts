/** Kinds of records that steps read and write. */
import { AGREEMENT_STATUS_FIELDS, GATE_CONTAINERS, GATES, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { getTextField, getTitle, getValueAtPath, type JsonObject } from '../platform/client-core.ts';
import { getRecipients, getSigners } from './is-signed.ts';
import { defineNameOutputs, defineRecordKind, getOutputFields, type OutputMapping } from './record-kind.ts';

const DOCUMENT: readonly OutputMapping[] = [
  { key: 'document_id', from: RECORD_FIELDS.documentId, sample: 'doc_7f3k2m9q' },
  { key: 'document_name', from: RECORD_FIELDS.documentName, sample: 'Series A Deck.pdf' },
];

/** Paths of a link's gate, which may be one level down. */
function withContainers(names: readonly string[]): string[] {
  return ['', ...GATE_CONTAINERS].flatMap((path) => names.map((name) => (path ? `${path}.${name}` : name)));
}

/** Person of a list within a record. */
function definePersonOutputs(noun: string): OutputMapping[] {
  return [
    { key: 'email', label: `${noun} Email`, from: RECORD_FIELDS.email, sample: 'ann@northwind.example' },
    { key: 'name', label: `${noun} Name`, from: RECORD_FIELDS.fullName, sample: 'Ann Northwind' },
    { key: 'status', label: `${noun} Status`, from: RECORD_FIELDS.status, sample: 'signed' },
  ];
}

export const document = defineRecordKind('document', {
  outputs: [
    { key: 'page_count', type: 'integer', from: RECORD_FIELDS.pageCount, sample: 14 },
    { key: 'content_type', label: 'File Type', from: RECORD_FIELDS.contentType, sample: 'application/pdf' },
    { key: 'size_bytes', label: 'Size in Bytes', type: 'integer', from: RECORD_FIELDS.sizeBytes, sample: 2_481_152 },
    { key: 'url', label: 'Document URL', from: RECORD_FIELDS.url, sample: 'https://app.example.com/d/7f3k2m9q' },
    { key: 'updated_at', type: 'datetime', from: RECORD_FIELDS.updatedAt, sample: '2026-10-02T09:12:44.000Z' },
  ],
  sample: { id: 'doc_7f3k2m9q', name: 'Series A Deck.pdf', created_at: '2026-10-02T09:12:44.000Z' },
});

export const link = defineRecordKind('link', {
  outputs: [
    { key: 'url', label: 'Link URL', from: RECORD_FIELDS.url, sample: 'https://share.example.com/l/4c8d1x7t' },
    ...DOCUMENT,
    { key: 'room_id', from: RECORD_FIELDS.roomId, sample: null },
    { key: 'room_name', from: RECORD_FIELDS.roomName, sample: null },
    { key: 'email_required', type: 'boolean', from: withContainers(RECORD_FIELDS.emailRequired), sample: true },
    {
      key: 'expires_at',
      type: 'datetime',
      from: withContainers(GATES.expiry.names),
      sample: '2026-12-31T22:59:59.000Z',
    },
  ],
  sample: {
    id: 'lnk_4c8d1x7t',
    name: 'Deck for Northwind',
    created_at: '2026-10-02T09:20:01.000Z',
    raw: { id: 'lnk_4c8d1x7t', url: 'https://share.example.com/l/4c8d1x7t', document_id: 'doc_7f3k2m9q' },
  },
});

export const room = defineRecordKind('room', {
  outputs: [
    { key: 'url', label: 'Room URL', from: RECORD_FIELDS.url, sample: 'https://share.example.com/r/2b6v9z1n' },
    { key: 'status', from: RECORD_FIELDS.status, sample: 'active' },
    { key: 'updated_at', type: 'datetime', from: RECORD_FIELDS.updatedAt, sample: '2026-10-05T14:02:10.000Z' },
  ],
  sample: { id: 'room_2b6v9z1n', name: 'Northwind Due Diligence', created_at: '2026-10-03T08:00:00.000Z' },
});

export const agreement = defineRecordKind('agreement', {
  outputs: [
    { key: 'status', from: AGREEMENT_STATUS_FIELDS, sample: 'signed' },
    { key: 'url', label: 'Agreement URL', from: RECORD_FIELDS.url, sample: 'https://app.example.com/a/9s5w3p8k' },
    ...DOCUMENT,
    { key: 'template_id', from: RECORD_FIELDS.templateId, sample: 'tpl_1a4h6r2c' },
    { key: 'template_name', from: RECORD_FIELDS.templateName, sample: 'Mutual NDA' },
    { key: 'sent_at', type: 'datetime', from: RECORD_FIELDS.sentAt, sample: '2026-10-06T10:00:00.000Z' },
    { key: 'signed_at', type: 'datetime', from: RECORD_FIELDS.signedAt, sample: '2026-10-06T15:31:27.000Z' },
  ],
  lineItems: [{ key: 'signers', getEntries: getSigners, outputs: definePersonOutputs('Signer') }],
  sample: {
    id: 'agr_9s5w3p8k',
    name: 'Mutual NDA with Northwind',
    created_at: '2026-10-06T09:58:12.000Z',
    raw: { id: 'agr_9s5w3p8k', name: 'Mutual NDA with Northwind', status: 'signed' },
  },
});

export const proposal = defineRecordKind('proposal', {
  outputs: [
    { key: 'url', label: 'Proposal URL', from: RECORD_FIELDS.url, sample: 'https://share.example.com/p/5e7u0j3y' },
    { key: 'status', from: RECORD_FIELDS.status, sample: 'accepted' },
    { key: 'amount', type: 'number', from: RECORD_FIELDS.amount, sample: 9600 },
    { key: 'currency', from: RECORD_FIELDS.currency, sample: 'USD' },
    { key: 'sent_at', type: 'datetime', from: RECORD_FIELDS.sentAt, sample: '2026-10-07T08:30:00.000Z' },
  ],
  lineItems: [
    { key: 'recipients', getEntries: getRecipients, outputs: definePersonOutputs('Recipient').slice(0, 2) },
    {
      key: 'items',
      getEntries: (item) => getList(item, RECORD_FIELDS.items),
      outputs: [
        { key: 'name', label: 'Item Name', from: RECORD_FIELDS.itemName, sample: 'Website Relaunch' },
        { key: 'quantity', label: 'Item Quantity', type: 'number', from: RECORD_FIELDS.quantity, sample: 2 },
        { key: 'unit_price', label: 'Item Unit Price', type: 'number', from: RECORD_FIELDS.unitPrice, sample: 4800 },
      ],
    },
  ],
  sample: { id: 'prp_5e7u0j3y', name: 'Website Relaunch for Northwind', created_at: '2026-10-07T08:15:40.000Z' },
});

export const template = defineRecordKind('template', {
  outputs: [
    ...DOCUMENT,
    { key: 'updated_at', type: 'datetime', from: RECORD_FIELDS.updatedAt, sample: '2026-09-30T16:45:00.000Z' },
  ],
  sample: { id: 'tpl_1a4h6r2c', name: 'Mutual NDA', created_at: '2026-09-12T11:05:33.000Z' },
});

export const contact = defineRecordKind('contact', {
  outputs: [
    { key: 'email', from: RECORD_FIELDS.email, sample: 'ann@northwind.example' },
    ...defineNameOutputs('', RECORD_FIELDS.fullName),
    { key: 'company', from: RECORD_FIELDS.company, sample: 'Northwind Ltd' },
    { key: 'phone', from: RECORD_FIELDS.phone, sample: '+1 555 0100' },
    { key: 'tags', type: 'texts', from: RECORD_FIELDS.tags, sample: ['Lead', 'Berlin'] },
    { key: 'updated_at', type: 'datetime', from: RECORD_FIELDS.updatedAt, sample: '2026-10-01T07:20:00.000Z' },
  ],
  label: (item) => {
    const name = getTitle(item);
    const email = getTextField(item, RECORD_FIELDS.email);
    return email === undefined || email === name ? name : `${name} (${email})`;
  },
  sample: {
    id: 'con_8y2q6l4d',
    name: 'Ann Northwind',
    created_at: '2026-09-28T13:37:05.000Z',
    raw: { id: 'con_8y2q6l4d', email: 'ann@northwind.example' },
  },
});

export const signedAgreementOutput = {
  outputFields: [
    ...getOutputFields(agreement),
    { key: 'signed_document', label: 'Signed Document', type: 'file' as const },
  ],
  sample: { ...agreement.sample, signed_document: 'https://files.example.com/mutual-nda-with-northwind.pdf' },
};

/** In the order of the app's lists. */
export const recordKinds = [document, link, room, agreement, proposal, template, contact];

function getList(item: JsonObject, names: readonly string[]): unknown[] {
  return names.map((name) => getValueAtPath(item, name)).find(Array.isArray) ?? [];
}
