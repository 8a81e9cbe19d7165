import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

export const proposals = {
  /** Lists proposals. */
  list: defineOperation({
    route: 'GET /proposals',
    scope: 'proposals:read',
    responseKind: 'list',
    title: 'List proposals',
  }),

  /** Creates a proposal. */
  create: defineOperation({
    route: 'POST /proposals',
    scope: 'proposals:write',
    effect: 'create',
    title: 'Create proposal',
  }),

  /** Sends a proposal. */
  send: defineOperation({
    route: 'POST /proposals/{id}/send',
    scope: 'proposals:write',
    effect: 'send',
    title: 'Send proposal',
    input: z.looseObject({ id: Id.describe('Id of the proposal') }),
  }),
};
