import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

const AgreementInput = z.looseObject({ id: Id.describe('Id of the agreement') });

/** E-signature agreements; their scopes have the older prefix `envelopes:` (§5). */
export const agreements = {
  /** Lists agreements. */
  list: defineOperation({
    route: 'GET /agreements',
    scope: 'envelopes:read',
    responseKind: 'list',
    title: 'List agreements',
  }),

  /** Creates an agreement. */
  create: defineOperation({
    route: 'POST /agreements',
    scope: 'envelopes:write',
    effect: 'create',
    title: 'Create agreement',
  }),

  /** Sends an agreement for signature. */
  send: defineOperation({
    route: 'POST /agreements/{id}/send',
    scope: 'envelopes:write',
    effect: 'send',
    title: 'Send agreement',
    input: AgreementInput,
  }),

  /** Fetches the agreement's (signed) document. */
  document: defineOperation({
    route: 'GET /agreements/{id}/document',
    scope: 'envelopes:read',
    responseKind: 'file',
    title: 'Download agreement',
    input: AgreementInput,
  }),
};
