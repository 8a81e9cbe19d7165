import { template } from '../records/kinds.ts';
import { defineDeleteAction } from './define-delete-action.ts';

export const deleteTemplate = defineDeleteAction(template, {
  description: 'Deletes a template. Existing agreements are kept.',
  helpText: 'The template to delete for everyone in the workspace.',
  remove: (client, id) => client.templates.delete({ id }),
});
