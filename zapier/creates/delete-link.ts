import { link } from '../records/kinds.ts';
import { defineDeleteAction } from './define-delete-action.ts';

export const deleteLink = defineDeleteAction(link, {
  description: 'Deletes a share link. Visitors lose access at once.',
  helpText: 'The link to delete. Its document stays in Docshare.',
  remove: (client, id) => client.links.delete({ id }),
});
