import { BILLING_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { idOf, type JsonObject } from '../platform/client-core.ts';
import { createOutputWithProfile } from './profile-samples.ts';
import {
  extractOutputs,
  getSampleOutputs,
  type OutputMapping,
  type RecordWithId,
  toOutputField,
} from './record-kind.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'number', label: 'Invoice Number', from: BILLING_FIELDS.number, sample: 'DS-202610' },
  { key: 'status', from: RECORD_FIELDS.status, sample: 'paid' },
  { key: 'amount', type: 'number', from: BILLING_FIELDS.amount, sample: 348 },
  { key: 'currency', from: BILLING_FIELDS.currency, sample: 'USD' },
  { key: 'issued_at', type: 'datetime', from: BILLING_FIELDS.issuedAt, sample: '2026-11-01T00:00:00.000Z' },
  { key: 'due_at', type: 'datetime', from: BILLING_FIELDS.dueAt, sample: '2026-11-15T00:00:00.000Z' },
  { key: 'paid_at', type: 'datetime', from: BILLING_FIELDS.paidAt, sample: '2026-11-02T09:30:00.000Z' },
  { key: 'url', label: 'Invoice URL', from: BILLING_FIELDS.invoiceUrl },
];

const CENTS: OutputMapping = { key: 'cents', label: 'Cents', type: 'number', from: BILLING_FIELDS.amountCents };

export const invoice = createOutputWithProfile('billing.invoices', {
  outputFields: [{ key: 'id', label: 'Invoice ID', type: 'string', primary: true }, ...OUTPUTS.map(toOutputField)],
  toOutput: toInvoice,
  resource: 'invoice',
  sample: {
    id: 'inv_202610',
    ...getSampleOutputs(OUTPUTS),
    url: 'https://billing.example.com/invoices/inv_202610',
    raw: { id: 'inv_202610', number: 'DS-202610', status: 'paid' },
  },
});

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
