import { textInput } from '../forms/form.ts';
import { getTextField, type JsonObject } from '../platform/core.ts';
import { invoice, readInvoice } from '../records/invoice.ts';
import { collect, isNewestFirst } from '../records/pages.ts';
import { report, requireWhole, SHOWN_RESULTS } from './report.ts';

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
    const { items, complete } = await collect((query, options) => client.billing.invoices(query, options));
    for (const item of items) {
      const invoice = readInvoice(item);
      if (!wanted || String(invoice['status'] ?? '').toLowerCase() === wanted) invoices.push(invoice);
    }
    const getTime = (item: JsonObject) => getTextField(readInvoice(item), ['issued_at']);
    requireWhole(complete || (invoices.length > 0 && isNewestFirst(items, getTime)), {
      operation: 'billing.invoices',
      read: items.length,
    });
    return invoices
      .toSorted((a, b) => String(b['issued_at'] ?? '').localeCompare(String(a['issued_at'] ?? '')))
      .slice(0, SHOWN_RESULTS);
  },
  ...invoice,
});
