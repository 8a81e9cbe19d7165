import type { Trigger } from 'zapier-platform-core';
import { invoice, toInvoice } from '../records/invoice.ts';
import { sortNewestFirst } from './define-list-trigger.ts';
import { createPollPerform } from './poll.ts';
import { pollNewest } from './poll-newest.ts';

export const newInvoice: Trigger = {
  key: 'new_invoice',
  noun: 'Invoice',
  display: { label: 'New Invoice', description: 'Triggers when an invoice is issued for your workspace.' },
  operation: {
    type: 'polling',
    perform: createPollPerform(async (client, step) => {
      const items = await pollNewest(
        {
          list: (query, options) => client.billing.invoices(query, options),
          trigger: 'new_invoice',
          getId: (item) => toInvoice(item).id,
          getTime: (item) => (toInvoice(item)['issued_at'] ?? undefined) as string | undefined,
          getVersion: () => '',
        },
        step,
      );
      const invoices = items.map(toInvoice);
      return sortNewestFirst(
        invoices.map((entry) => ({ entry, created_at: (entry['issued_at'] ?? null) as string | null })),
      ).map(({ entry }) => entry);
    }),
    sample: invoice.sample,
    outputFields: invoice.outputFields,
  },
};
