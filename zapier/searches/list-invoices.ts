import { createFormField } from '../fields/form-fields.ts';
import { invoice, toInvoice } from '../records/invoice.ts';
import { defineReport, readNewestFirst } from './define-report.ts';

export const listInvoices = defineReport<{ status?: string }>({
  key: 'list_invoices',
  noun: 'Invoice',
  label: 'Find Invoices',
  description: 'Finds the invoices of your workspace, newest first.',
  hidden: true,
  inputFields: [
    createFormField('status', 'Status', {
      helpText: 'Only invoices with this status, for example open or paid. Leave empty for all.',
    }),
  ],
  perform: (step) =>
    readNewestFirst((query, options) => step.client.billing.invoices(query, options), step, {
      operation: 'billing.invoices',
      toOutput: toInvoice,
      timeKey: 'issued_at',
      filter: { key: 'status', value: step.input.status },
    }),
  ...invoice,
});
