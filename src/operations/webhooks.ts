import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

/** Webhook registrations; all three operations need the scope `webhooks:write` (§6). */
export const webhooks = {
  /** Registers a webhook endpoint. */
  create: defineOperation({
    route: 'POST /webhooks',
    scope: 'webhooks:write',
    effect: 'create',
    title: 'Create webhook',
  }),

  /** Lists webhook registrations. */
  list: defineOperation({
    route: 'GET /webhooks',
    scope: 'webhooks:write',
    responseKind: 'list',
    title: 'List webhooks',
  }),

  /** Removes a webhook registration. */
  delete: defineOperation({
    route: 'DELETE /webhooks/{id}',
    scope: 'webhooks:write',
    effect: 'delete',
    title: 'Delete webhook',
    input: z.looseObject({ id: Id.describe('Id of the registration') }),
  }),
};
