import { z } from 'zod';
import { Id, ListQuery, operation, Unspecified } from './operation.ts';

const AgreementInput = z.looseObject({ id: Id.describe('Id of the agreement') });

/** E-signature agreements; their scopes have the older prefix `envelopes:` (§5). */
export const agreements = {
  /** Lists agreements. */
  list: operation({
    route: 'GET /agreements',
    scope: 'envelopes:read',
    effect: 'read',
    responseKind: 'list',
    title: 'List agreements',
    input: ListQuery,
    output: Unspecified,
  }),

  /** Creates an agreement. */
  create: operation({
    route: 'POST /agreements',
    scope: 'envelopes:write',
    effect: 'create',
    responseKind: 'item',
    title: 'Create agreement',
    input: Unspecified,
    output: Unspecified,
  }),

  /** Sends an agreement for signature. */
  send: operation({
    route: 'POST /agreements/{id}/send',
    scope: 'envelopes:write',
    effect: 'send',
    responseKind: 'item',
    title: 'Send agreement',
    input: AgreementInput,
    output: Unspecified,
  }),

  /** Fetches the agreement's (signed) document. */
  document: operation({
    route: 'GET /agreements/{id}/document',
    scope: 'envelopes:read',
    effect: 'read',
    responseKind: 'file',
    title: 'Download agreement',
    input: AgreementInput,
    output: Unspecified,
  }),
};
