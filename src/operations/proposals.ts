import { z } from 'zod';
import { Id, ListQuery, operation, Unspecified } from './operation.ts';

export const proposals = {
  /** Lists proposals. */
  list: operation({
    route: 'GET /proposals',
    scope: 'proposals:read',
    effect: 'read',
    responseKind: 'list',
    title: 'List proposals',
    input: ListQuery,
    output: Unspecified,
  }),

  /** Creates a proposal. */
  create: operation({
    route: 'POST /proposals',
    scope: 'proposals:write',
    effect: 'create',
    responseKind: 'item',
    title: 'Create proposal',
    input: Unspecified,
    output: Unspecified,
  }),

  /** Sends a proposal. */
  send: operation({
    route: 'POST /proposals/{id}/send',
    scope: 'proposals:write',
    effect: 'send',
    responseKind: 'item',
    title: 'Send proposal',
    input: z.looseObject({ id: Id.describe('Id of the proposal') }),
    output: Unspecified,
  }),
};
