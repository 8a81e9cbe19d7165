import { defineListTool, defineReadTool } from './define-tools.ts';

export const billingTools = [
  defineReadTool({
    name: 'get_subscription',
    description: 'Reads plan, state and seats of the workspace.',
    operation: 'billing.subscription',
  }),
  defineListTool({
    name: 'list_invoices',
    description: 'Lists the invoices of the workspace.',
    operation: 'billing.invoices',
    resource: 'invoice',
  }),
  defineReadTool({
    name: 'get_usage',
    description: 'Reads the current usage of the workspace against its plan.',
    operation: 'billing.usage',
  }),
];
