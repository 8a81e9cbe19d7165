import { textInput } from '../fields/form-fields.ts';
import { getTextField, type JsonObject } from '../platform/client-core.ts';
import { invoice, toInvoice } from '../records/invoice.ts';
import { collectItems, isNewestFirst } from '../records/read-list.ts';
import { defineReport, MAX_RESULTS, requireComplete } from './define-report.ts';

export const listInvoices = defineReport<{ status?: string }>({
  key: 'list_invoices',
  noun: 'Invoice',
  label: 'List Invoices',
  description: 'Finds the invoices of your workspace, the newest first.',
  inputFields: [
    textInput('status', 'Status', {
      helpText: 'Only invoices in this state, such as "open" or "paid". Leave empty for all.',
    }),
  ],
  perform: async (client, { input }) => {
    const statusFilter = input.status?.trim().toLowerCase();
    const invoices: JsonObject[] = [];
    const { items, complete } = await collectItems((query, options) =>
      client.billing.invoices(query, options),
    );
    for (const item of items) {
      const invoice = toInvoice(item);
      if (!statusFilter || String(invoice['status'] ?? '').toLowerCase() === statusFilter)
        invoices.push(invoice);
    }
    const getTime = (item: JsonObject) => getTextField(toInvoice(item), ['issued_at']);
    requireComplete(complete || (invoices.length > 0 && isNewestFirst(items, getTime)), {
      operation: 'billing.invoices',
      itemsRead: items.length,
    });
    return invoices
      .toSorted((a, b) => String(b['issued_at'] ?? '').localeCompare(String(a['issued_at'] ?? '')))
      .slice(0, MAX_RESULTS);
  },
  ...invoice,
});
