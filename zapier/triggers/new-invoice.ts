import type { Trigger } from 'zapier-platform-core';
import { invoice, readInvoice } from '../records/invoice.ts';
import { sortNewestFirst } from './list-trigger.ts';
import { lookOnce } from './look-once.ts';
import { pollNewest } from './poll-newest.ts';

export const newInvoice: Trigger = {
  key: 'new_invoice',
  noun: 'Invoice',
  display: { label: 'New Invoice', description: 'Triggers when an invoice is issued for your workspace.' },
  operation: {
    type: 'polling',
    perform: lookOnce(async (client, step) => {
      const items = await pollNewest(
        {
          list: (query, options) => client.billing.invoices(query, options),
          trigger: 'new_invoice',
          getId: (item) => readInvoice(item).id,
          getTime: (item) => (readInvoice(item)['issued_at'] ?? undefined) as string | undefined,
          getVersion: () => '',
        },
        step,
      );
      const invoices = items.map(readInvoice);
      return sortNewestFirst(
        invoices.map((one) => ({ one, created_at: (one['issued_at'] ?? null) as string | null })),
      ).map(({ one }) => one);
    }),
    sample: invoice.sample,
    outputFields: invoice.outputFields,
  },
};
