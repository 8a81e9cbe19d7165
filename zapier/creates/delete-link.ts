import { deletionNotice, recordField } from '../forms/form.ts';
import { link } from '../records/link.ts';
import { action } from './action.ts';
import { deletionOutput, ensureDeleted } from './deletion.ts';

export const deleteLink = action<{ link: string }>({
  key: 'delete_link',
  noun: 'Link',
  label: 'Delete Link',
  description: 'Deletes a share link, so that its address opens nothing any more.',
  inputFields: [
    recordField(link, { helpText: 'The link to delete. Whoever has its address loses access at once.' }),
    deletionNotice('a link'),
  ],
  run: async (client, { input }) => {
    await ensureDeleted(client.links.delete({ id: input.link }), { client, kind: link, id: input.link });
    return { id: input.link, deleted: true };
  },
  shows: deletionOutput(link),
});
