import type { PlainOutputField } from 'zapier-platform-core';
import { BILLING_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { idOf, type JsonObject } from '../platform/client-core.ts';
import { outputFieldsFromProfile, sampleFromProfile } from './profile-samples.ts';
import { extractOutputs, type OutputMapping, type RecordWithId, toOutputField } from './record-kind.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'number', label: 'Invoice Number', from: BILLING_FIELDS.number },
  { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
  { key: 'amount', label: 'Amount', type: 'number', from: BILLING_FIELDS.amount },
  { key: 'currency', label: 'Currency', from: BILLING_FIELDS.currency },
  { key: 'issued_at', label: 'Issued At', type: 'datetime', from: BILLING_FIELDS.issuedAt },
  { key: 'due_at', label: 'Due At', type: 'datetime', from: BILLING_FIELDS.dueAt },
  { key: 'paid_at', label: 'Paid At', type: 'datetime', from: BILLING_FIELDS.paidAt },
  { key: 'url', label: 'Invoice URL', from: BILLING_FIELDS.invoiceUrl },
];

const CENTS: OutputMapping = { key: 'cents', label: 'Cents', type: 'number', from: BILLING_FIELDS.amountCents };

export const invoice = {
  outputFields: [
    { key: 'id', label: 'Invoice ID', type: 'string', primary: true },
    ...OUTPUTS.map(toOutputField),
    { key: 'raw', label: 'Original Record' },
    ...outputFieldsFromProfile('billing.invoices'),
  ],
  sample: sampleFromProfile('billing.invoices', {
    toOutput: toInvoice,
    resource: 'invoice',
    sample: {
      id: 'inv_202610',
      number: 'DS-202610',
      status: 'paid',
      amount: 348,
      currency: 'USD',
      issued_at: '2026-11-01T00:00:00.000Z',
      due_at: '2026-11-15T00:00:00.000Z',
      paid_at: '2026-11-02T09:30:00.000Z',
      url: 'https://billing.example.com/invoices/inv_202610',
      raw: { id: 'inv_202610', number: 'DS-202610', status: 'paid' },
    },
  }),
} satisfies { outputFields: PlainOutputField[]; sample: JsonObject };

export function toInvoice(item: JsonObject): RecordWithId {
  const outputs = extractOutputs(OUTPUTS, item);
  const { cents } = extractOutputs([CENTS], item);
  return {
    id: idOf(item, 'invoice') ?? String(outputs['number'] ?? outputs['issued_at']),
    ...outputs,
    amount: outputs['amount'] ?? (typeof cents === 'number' ? cents / 100 : null),
    raw: item,
  };
}
