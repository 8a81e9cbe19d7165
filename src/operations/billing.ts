import { operation } from './operation.ts';

export const billing = {
  /** Returns subscription state, plan and seat count. */
  subscription: operation({ route: 'GET /billing/subscription', scope: 'billing:read', title: 'Get subscription' }),

  /** Lists the invoice history. */
  invoices: operation({
    route: 'GET /billing/invoices',
    scope: 'billing:read',
    responseKind: 'list',
    title: 'List invoices',
  }),

  /** Returns current usage. */
  usage: operation({ route: 'GET /billing/usage', scope: 'billing:read', title: 'Get usage' }),
};
