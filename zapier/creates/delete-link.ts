import { createDeletionNotice, createRecordField } from '../fields/form-fields.ts';
import { link } from '../records/kinds.ts';
import { defineAction } from './define-action.ts';
import { createDeletionOutput, deleteRecord } from './delete-record.ts';

export const deleteLink = defineAction<{ link: string }>({
  key: 'delete_link',
  noun: 'Link',
  label: 'Delete Link',
  description: 'Deletes a share link. Visitors lose access at once.',
  inputFields: [
    createRecordField(link, { helpText: 'The link to delete. Its document stays in Docshare.' }),
    createDeletionNotice('a link'),
  ],
  perform: (client, { z, input: { link: id } }) =>
    deleteRecord({ z }, { kind: link, id, remove: async () => client.links.delete({ id }) }),
  output: createDeletionOutput(link),
});
