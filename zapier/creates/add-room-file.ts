import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { readMore, recordField, sendForm } from '../forms/form.ts';
import { moreFields, namesIn } from '../forms/more-fields.ts';
import { document } from '../records/document.ts';
import { room } from '../records/room.ts';
import { partShown, readPart, roomPartField } from '../records/room-parts.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  room: string;
  document: string;
  folder?: string;
}

export const addRoomFile = action<Input>({
  key: 'add_room_file',
  noun: 'File',
  label: 'Add Document to Room',
  description: 'Creates a file in a room from a document of the workspace.',
  inputFields: [
    recordField(room, { helpText: 'The room that gets the document.' }),
    recordField(document, { helpText: 'The document to show in the room. Upload it first if it is new.' }),
    roomPartField('folders', {
      key: 'folder',
      label: 'Folder',
      required: false,
      helpText: 'Leave empty to put it at the top of the room.',
    }),
    ...moreFields('rooms.addFile', {
      known: namesIn(FORM_BODIES.roomFile({ documentId: '', folderId: '' })),
    }),
  ],
  run: async (client, { input }) => {
    const { room: id, document: documentId, folder: folderId } = input;
    const added = await sendForm(FORM_BODIES.roomFile({ documentId, folderId }), readMore(input), (body) =>
      client.rooms.addFile({ ...body, id }),
    );
    return readPart(added, { part: 'file', room: id, name: undefined });
  },
  shows: partShown('File', { id: 'rfl_9d3t1b7m', name: 'Series A Deck.pdf' }),
});
