import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { USUAL_FIELDS } from '../assumptions.ts';
import { NameShape } from '../tool/arguments.ts';
import { defineDeleteTool, defineListTool, defineReadTool, defineWriteTool } from './define-tools.ts';
import { createDraftConfirmation, createDraftEffects } from './draft-confirmation.ts';
import { getChangeAction } from './object-action.ts';
import { findRiskyFields } from './risky-fields.ts';

export const templateTools = [
  defineListTool({ name: 'list_templates', description: 'Lists agreement templates.', operation: 'templates.list' }),
  defineReadTool({
    name: 'get_template',
    description: 'Returns one agreement template with all its fields.',
    operation: 'templates.get',
    id: 'Template ID, from list_templates.',
  }),
  defineWriteTool({
    name: 'create_template',
    description: 'Creates an agreement template.',
    operation: 'templates.create',
    form: { shape: NameShape, toBodies: FORM_BODIES.template },
    fields: `Other fields, usually: ${USUAL_FIELDS.template}.`,
    confirmation: createDraftConfirmation('template'),
    newObjectEffects: createDraftEffects('template'),
  }),
  defineWriteTool({
    name: 'update_template',
    description:
      'Updates an agreement template, after the user confirms. Call get_template first to see its current fields.',
    operation: 'templates.update',
    id: 'Template ID, from list_templates.',
    fields: `Fields to change, usually: name, ${USUAL_FIELDS.template}.`,
    confirmation: ({ id, fields }) =>
      getChangeAction(['templates', id], {
        fields,
        names: findRiskyFields(fields),
        notice: 'New agreements use the changed template. The old content is overwritten.',
      }),
  }),
  defineDeleteTool({
    name: 'delete_template',
    description: 'Permanently deletes an agreement template, after the user confirms.',
    operation: 'templates.delete',
    id: 'Template ID, from list_templates.',
    consequence: "This can't be undone.",
  }),
];
