import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

/** Share link (§2). Its gates, expiry and visitor limit have names that the document does not show. */
export const Link = z.looseObject({
  url: z.string().describe('Shareable URL of the link'),
  document_id: z.string().optional().describe('Document that the link shows'),
  email_required: z.boolean().optional().describe('True if visitors must enter an email address'),
});

/** A link in other responses: the document promises these fields only for a new link. */
export const PartialLink = Link.partial();

export const links = {
  /** Lists share links. */
  list: defineOperation({
    route: 'GET /links',
    scope: 'links:read',
    responseKind: 'list',
    title: 'List links',
    output: PartialLink,
  }),

  /** Creates a share link for a document, or for what `extra` names, such as `{ room_id }`. */
  create: defineOperation({
    route: 'POST /links',
    scope: 'links:write',
    effect: 'create',
    statesBody: true,
    title: 'Create link',
    input: z.looseObject({
      document_id: Id.optional().describe('Id of the document to share; required for a link to a document (§4)'),
      email_required: z.boolean().optional().describe('Require an email address from each visitor'),
    }),
    output: Link,
  }),

  /** Updates a share link. */
  update: defineOperation({
    route: 'PATCH /links/{id}',
    scope: 'links:write',
    effect: 'update',
    title: 'Update link',
    input: z.looseObject({
      id: Id.describe('Id of the link'),
      email_required: z.boolean().optional().describe('Require an email address from each visitor'),
    }),
    output: PartialLink,
  }),

  /** Deletes a share link. */
  delete: defineOperation({
    route: 'DELETE /links/{id}',
    scope: 'links:write',
    effect: 'delete',
    title: 'Delete link',
    input: z.looseObject({ id: Id.describe('Id of the link') }),
  }),
};
