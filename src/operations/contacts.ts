import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

const ContactInput = z.looseObject({ id: Id.describe('Id of the contact') });

export const contacts = {
  /** Lists contacts. */
  list: defineOperation({
    route: 'GET /contacts',
    scope: 'contacts:read',
    responseKind: 'list',
    title: 'List contacts',
  }),

  /** Creates a contact. */
  create: defineOperation({
    route: 'POST /contacts',
    scope: 'contacts:write',
    effect: 'create',
    title: 'Create contact',
  }),

  /** Updates a contact. */
  update: defineOperation({
    route: 'PATCH /contacts/{id}',
    scope: 'contacts:write',
    effect: 'update',
    title: 'Update contact',
    input: ContactInput,
  }),

  /** Adds tags to a contact. */
  addTags: defineOperation({
    route: 'POST /contacts/{id}/tags',
    scope: 'contacts:write',
    effect: 'update',
    title: 'Add contact tags',
    input: ContactInput,
  }),
};
