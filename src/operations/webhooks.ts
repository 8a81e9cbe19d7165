import { z } from 'zod';
import { Id, operation } from './operation.ts';

/** Webhook registrations; all three operations need the scope `webhooks:write` (§6). */
export const webhooks = {
  /** Registers a webhook endpoint. */
  create: operation({ route: 'POST /webhooks', scope: 'webhooks:write', effect: 'create', title: 'Create webhook' }),

  /** Lists webhook registrations. */
  list: operation({ route: 'GET /webhooks', scope: 'webhooks:write', responseKind: 'list', title: 'List webhooks' }),

  /** Removes a webhook registration. */
  delete: operation({
    route: 'DELETE /webhooks/{id}',
    scope: 'webhooks:write',
    effect: 'delete',
    title: 'Delete webhook',
    input: z.looseObject({ id: Id.describe('Id of the registration') }),
  }),
};
