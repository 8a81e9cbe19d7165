import { BILLING_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { textInput } from '../forms/form.ts';
import type { JsonObject } from '../platform/core.ts';
import { idOf } from '../platform/core.ts';
import { collect } from '../records/pages.ts';
import { type Output, readOutputs, toOutputField } from '../records/record.ts';
import { report, SHOWN_RESULTS } from './report.ts';

const OUTPUTS: readonly Output[] = [
  { key: 'number', label: 'Invoice Number', from: BILLING_FIELDS.number },
  { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
  { key: 'amount', label: 'Amount', type: 'number', from: BILLING_FIELDS.amount },
  { key: 'currency', label: 'Currency', from: BILLING_FIELDS.currency },
  { key: 'issued_at', label: 'Issued At', type: 'datetime', from: BILLING_FIELDS.issuedAt },
  { key: 'due_at', label: 'Due At', type: 'datetime', from: BILLING_FIELDS.dueAt },
  { key: 'paid_at', label: 'Paid At', type: 'datetime', from: BILLING_FIELDS.paidAt },
  { key: 'url', label: 'Invoice Address', from: BILLING_FIELDS.invoiceUrl },
];

const CENTS: Output = { key: 'cents', label: 'Cents', type: 'number', from: BILLING_FIELDS.amountCents };

export const listInvoices = report<{ status?: string }>({
  key: 'list_invoices',
  noun: 'Invoice',
  label: 'List Invoices',
  description: 'Finds the invoices of your workspace, the newest first.',
  inputFields: [
    textInput('status', 'Status', {
      helpText: 'Only invoices in this state, such as "open" or "paid". Leave empty for all.',
    }),
  ],
  run: async (client, { input }) => {
    const wanted = input.status?.trim().toLowerCase();
    const invoices: JsonObject[] = [];
    const { items } = await collect((query) => client.billing.invoices(query));
    for (const item of items) {
      const invoice = readInvoice(item);
      if (!wanted || String(invoice['status'] ?? '').toLowerCase() === wanted) invoices.push(invoice);
    }
    return invoices
      .toSorted((a, b) => String(b['issued_at'] ?? '').localeCompare(String(a['issued_at'] ?? '')))
      .slice(0, SHOWN_RESULTS);
  },
  outputFields: [
    { key: 'id', label: 'Invoice ID', type: 'string', primary: true },
    ...OUTPUTS.map(toOutputField),
    { key: 'raw', label: 'Original Record' },
  ],
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
});

function readInvoice(item: JsonObject): JsonObject {
  const outputs = readOutputs(OUTPUTS, item);
  const { cents } = readOutputs([CENTS], item);
  return {
    id: idOf(item, 'invoice') ?? outputs['number'] ?? String(outputs['issued_at']),
    ...outputs,
    amount: outputs['amount'] ?? (typeof cents === 'number' ? cents / 100 : null),
    raw: item,
  };
}
