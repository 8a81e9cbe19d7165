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
    const select = (items: readonly JsonObject[]) =>
      items
        .map(toInvoice)
        .filter(({ status }) => !statusFilter || String(status ?? '').toLowerCase() === statusFilter);
    const getTime = (item: JsonObject) => getTextField(toInvoice(item), ['issued_at']);
    const reading = await collectItems((query, options) => client.billing.invoices(query, options));
    const isEnough = (items: readonly JsonObject[]) =>
      select(items).length > 0 && isNewestFirst(items, getTime);
    return select(requireComplete(reading, 'billing.invoices', isEnough))
      .toSorted((a, b) => String(b['issued_at'] ?? '').localeCompare(String(a['issued_at'] ?? '')))
      .slice(0, MAX_RESULTS);
  },
  ...invoice,
});
