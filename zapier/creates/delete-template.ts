import { deletionNotice, recordField } from '../form.ts';
import { template } from '../records/template.ts';
import { action } from './action.ts';
import { deleted, deletionOf } from './deletion.ts';

export const deleteTemplate = action<{ template: string }>({
  key: 'delete_template',
  noun: 'Template',
  label: 'Delete Template',
  description: 'Deletes a template. Agreements made from it stay.',
  inputFields: [
    recordField(template, { helpText: 'The template to delete from the workspace, for everyone.' }),
    deletionNotice('a template'),
  ],
  run: async (client, { input }) => {
    await deleted(client.templates.delete({ id: input.template }));
    return { id: input.template, deleted: true };
  },
  shows: deletionOf(template),
});
