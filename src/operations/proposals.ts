import { z } from 'zod';
import { Id, operation } from './operation.ts';

export const proposals = {
  /** Lists proposals. */
  list: operation({ route: 'GET /proposals', scope: 'proposals:read', responseKind: 'list', title: 'List proposals' }),

  /** Creates a proposal. */
  create: operation({ route: 'POST /proposals', scope: 'proposals:write', effect: 'create', title: 'Create proposal' }),

  /** Sends a proposal. */
  send: operation({
    route: 'POST /proposals/{id}/send',
    scope: 'proposals:write',
    effect: 'send',
    title: 'Send proposal',
    input: z.looseObject({ id: Id.describe('Id of the proposal') }),
  }),
};
