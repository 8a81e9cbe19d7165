import { z } from 'zod';
import { Id, ListQuery, operation, Unspecified } from './operation.ts';

/** Webhook registrations; all three operations need the scope `webhooks:write` (§6). */
export const webhooks = {
  /** Registers a webhook endpoint. */
  create: operation({
    route: 'POST /webhooks',
    scope: 'webhooks:write',
    effect: 'create',
    responseKind: 'item',
    title: 'Create webhook',
    input: Unspecified,
    output: Unspecified,
  }),

  /** Lists webhook registrations. */
  list: operation({
    route: 'GET /webhooks',
    scope: 'webhooks:write',
    effect: 'read',
    responseKind: 'list',
    title: 'List webhooks',
    input: ListQuery,
    output: Unspecified,
  }),

  /** Removes a webhook registration. */
  delete: operation({
    route: 'DELETE /webhooks/{id}',
    scope: 'webhooks:write',
    effect: 'delete',
    responseKind: 'item',
    title: 'Delete webhook',
    input: z.looseObject({ id: Id.describe('Id of the registration') }),
    output: Unspecified,
  }),
};
