import { listTool, readTool } from './tool-kinds.ts';

export const billingTools = [
  readTool({
    name: 'get_subscription',
    description: 'Reads plan, state and seats of the workspace.',
    operation: 'billing.subscription',
  }),
  listTool({
    name: 'list_invoices',
    description: 'Lists the invoices of the workspace.',
    operation: 'billing.invoices',
    resource: 'invoice',
  }),
  readTool({
    name: 'get_usage',
    description: 'Reads the current usage of the workspace against its plan.',
    operation: 'billing.usage',
  }),
];
