import { z } from 'zod';
import { Id, ListQuery, operation, Unspecified } from './operation.ts';

const TemplateInput = z.looseObject({ id: Id.describe('Id of the template') });

export const templates = {
  /** Lists agreement templates. */
  list: operation({
    route: 'GET /templates',
    scope: 'templates:read',
    effect: 'read',
    responseKind: 'list',
    title: 'List templates',
    input: ListQuery,
    output: Unspecified,
  }),

  /** Returns one agreement template. */
  get: operation({
    route: 'GET /templates/{id}',
    scope: 'templates:read',
    effect: 'read',
    responseKind: 'item',
    title: 'Get template',
    input: TemplateInput,
    output: Unspecified,
  }),

  /** Creates an agreement template. */
  create: operation({
    route: 'POST /templates',
    scope: 'templates:write',
    effect: 'create',
    responseKind: 'item',
    title: 'Create template',
    input: Unspecified,
    output: Unspecified,
  }),

  /** Updates an agreement template. */
  update: operation({
    route: 'PATCH /templates/{id}',
    scope: 'templates:write',
    effect: 'update',
    responseKind: 'item',
    title: 'Update template',
    input: TemplateInput,
    output: Unspecified,
  }),

  /** Deletes an agreement template. */
  delete: operation({
    route: 'DELETE /templates/{id}',
    scope: 'templates:write',
    effect: 'delete',
    responseKind: 'item',
    title: 'Delete template',
    input: TemplateInput,
    output: Unspecified,
  }),
};
