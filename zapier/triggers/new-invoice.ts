import type { Trigger } from 'zapier-platform-core';
import { invoice, toInvoice } from '../records/invoice.ts';
import { sortNewestFirst } from '../records/read-list.ts';
import { createPollPerform } from './poll.ts';
import { pollNewest } from './poll-newest.ts';

export const newInvoice: Trigger = {
  key: 'new_invoice',
  noun: 'Invoice',
  display: {
    label: 'New Invoice',
    description: 'Triggers when an invoice is issued for your workspace.',
    hidden: true,
  },
  operation: {
    type: 'polling',
    perform: createPollPerform(async (step) => {
      const items = await pollNewest(
        {
          list: (query, options) => step.client.billing.invoices(query, options),
          trigger: 'new_invoice',
          getId: (item) => toInvoice(item).id,
          getTime: (item) => (toInvoice(item)['issued_at'] ?? undefined) as string | undefined,
        },
        step,
      );
      return sortNewestFirst(items.map(toInvoice), (entry) => entry['issued_at']);
    }),
    sample: invoice.sample,
    outputFields: invoice.outputFields,
  },
};
