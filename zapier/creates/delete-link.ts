import { deletionNotice, recordField } from '../fields/form-fields.ts';
import { link } from '../records/link.ts';
import { defineAction } from './define-action.ts';
import { deletionOutput, ensureDeleted } from './ensure-deleted.ts';

export const deleteLink = defineAction<{ link: string }>({
  key: 'delete_link',
  noun: 'Link',
  label: 'Delete Link',
  description: 'Deletes a share link, so that its address opens nothing any more.',
  inputFields: [
    recordField(link, { helpText: 'The link to delete. Whoever has its address loses access at once.' }),
    deletionNotice('a link'),
  ],
  perform: async (client, { input }) => {
    await ensureDeleted(client.links.delete({ id: input.link }), { client, kind: link, id: input.link });
    return { id: input.link, deleted: true };
  },
  output: deletionOutput(link),
});
