import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

const TemplateInput = z.looseObject({ id: Id.describe('Id of the template') });

export const templates = {
  /** Lists agreement templates. */
  list: defineOperation({
    route: 'GET /templates',
    scope: 'templates:read',
    responseKind: 'list',
    title: 'List templates',
  }),

  /** Returns one agreement template. */
  get: defineOperation({
    route: 'GET /templates/{id}',
    scope: 'templates:read',
    title: 'Get template',
    input: TemplateInput,
  }),

  /** Creates an agreement template. */
  create: defineOperation({
    route: 'POST /templates',
    scope: 'templates:write',
    effect: 'create',
    title: 'Create template',
  }),

  /** Updates an agreement template. */
  update: defineOperation({
    route: 'PATCH /templates/{id}',
    scope: 'templates:write',
    effect: 'update',
    title: 'Update template',
    input: TemplateInput,
  }),

  /** Deletes an agreement template. */
  delete: defineOperation({
    route: 'DELETE /templates/{id}',
    scope: 'templates:write',
    effect: 'delete',
    title: 'Delete template',
    input: TemplateInput,
  }),
};
