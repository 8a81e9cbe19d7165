import { ListQuery, operation, Unspecified } from './operation.ts';

export const billing = {
  /** Returns subscription state, plan and seat count. */
  subscription: operation({
    route: 'GET /billing/subscription',
    scope: 'billing:read',
    effect: 'read',
    responseKind: 'item',
    title: 'Get subscription',
    input: Unspecified,
    output: Unspecified,
  }),

  /** Lists the invoice history. */
  invoices: operation({
    route: 'GET /billing/invoices',
    scope: 'billing:read',
    effect: 'read',
    responseKind: 'list',
    title: 'List invoices',
    input: ListQuery,
    output: Unspecified,
  }),

  /** Returns current usage. */
  usage: operation({
    route: 'GET /billing/usage',
    scope: 'billing:read',
    effect: 'read',
    responseKind: 'item',
    title: 'Get usage',
    input: Unspecified,
    output: Unspecified,
  }),
};
