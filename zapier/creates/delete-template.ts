import { createDeletionNotice, createRecordField } from '../fields/form-fields.ts';
import { template } from '../records/kinds.ts';
import { defineAction } from './define-action.ts';
import { createDeletionOutput, deleteRecord } from './delete-record.ts';

export const deleteTemplate = defineAction<{ template: string }>({
  key: 'delete_template',
  noun: 'Template',
  label: 'Delete Template',
  description: 'Deletes a template. Existing agreements are kept.',
  inputFields: [
    createRecordField(template, { helpText: 'The template to delete for everyone in the workspace.' }),
    createDeletionNotice('a template'),
  ],
  perform: (client, { z, input: { template: id } }) =>
    deleteRecord({ z }, { kind: template, id, remove: async () => client.templates.delete({ id }) }),
  output: createDeletionOutput(template),
});
