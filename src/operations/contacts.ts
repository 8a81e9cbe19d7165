import { z } from 'zod';
import { Id, ListQuery, operation, Unspecified } from './operation.ts';

const ContactInput = z.looseObject({ id: Id.describe('Id of the contact') });

export const contacts = {
  /** Lists contacts. */
  list: operation({
    route: 'GET /contacts',
    scope: 'contacts:read',
    effect: 'read',
    responseKind: 'list',
    title: 'List contacts',
    input: ListQuery,
    output: Unspecified,
  }),

  /** Creates a contact. */
  create: operation({
    route: 'POST /contacts',
    scope: 'contacts:write',
    effect: 'create',
    responseKind: 'item',
    title: 'Create contact',
    input: Unspecified,
    output: Unspecified,
  }),

  /** Updates a contact. */
  update: operation({
    route: 'PATCH /contacts/{id}',
    scope: 'contacts:write',
    effect: 'update',
    responseKind: 'item',
    title: 'Update contact',
    input: ContactInput,
    output: Unspecified,
  }),

  /** Adds tags to a contact. */
  addTags: operation({
    route: 'POST /contacts/{id}/tags',
    scope: 'contacts:write',
    effect: 'update',
    responseKind: 'item',
    title: 'Add contact tags',
    input: ContactInput,
    output: Unspecified,
  }),
};
