import { defineOperation } from './operation.ts';

export const billing = {
  /** Returns subscription state, plan and seat count. */
  subscription: defineOperation({
    route: 'GET /billing/subscription',
    scope: 'billing:read',
    title: 'Get subscription',
  }),

  /** Lists the invoice history. */
  invoices: defineOperation({
    route: 'GET /billing/invoices',
    scope: 'billing:read',
    responseKind: 'list',
    title: 'List invoices',
  }),

  /** Returns current usage. */
  usage: defineOperation({ route: 'GET /billing/usage', scope: 'billing:read', title: 'Get usage' }),
};
