import { deletionNotice, recordField } from '../fields/form-fields.ts';
import { template } from '../records/kinds.ts';
import { defineAction } from './define-action.ts';
import { deletionOutput, ensureDeleted } from './ensure-deleted.ts';

export const deleteTemplate = defineAction<{ template: string }>({
  key: 'delete_template',
  noun: 'Template',
  label: 'Delete Template',
  description: 'Deletes a template. Existing agreements are kept.',
  inputFields: [
    recordField(template, { helpText: 'The template to delete for everyone in the workspace.' }),
    deletionNotice('a template'),
  ],
  perform: async (client, { input }) => {
    const { template: id } = input;
    await ensureDeleted(client.templates.delete({ id }), { client, kind: template, id });
    return { id, deleted: true };
  },
  output: deletionOutput(template),
});
