import { defineListTool, defineReadTool } from './define-tools.ts';

export const billingTools = [
  defineReadTool({
    name: 'get_subscription',
    description: "Returns the workspace's subscription: plan, status and seats.",
    operation: 'billing.subscription',
  }),
  defineListTool({
    name: 'list_invoices',
    description: "Lists the workspace's invoices. Fields ending in _cents are in hundredths of the currency.",
    operation: 'billing.invoices',
    resource: 'invoice',
  }),
  defineReadTool({
    name: 'get_usage',
    description: "Returns the workspace's current usage and plan limits.",
    operation: 'billing.usage',
  }),
];
