import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, createRecordField, tryFormBodies } from '../fields/form-fields.ts';
import { document, room } from '../records/kinds.ts';
import { createFolderField, createRoomPartOutput, requirePlace, toRoomPart } from '../records/room-parts.ts';
import { defineAction, type FormInput } from './define-action.ts';

export const addRoomFile = defineAction<FormInput<'room' | 'document', 'folder'>>({
  key: 'add_room_file',
  noun: 'File',
  label: 'Add Document to Room',
  description: 'Adds a document of your workspace to a room.',
  inputFields: [
    createRecordField(room, { helpText: 'The room to add the document to.' }),
    createRecordField(document, { helpText: 'The document to add. For a new file, use Upload File to Room.' }),
    createFolderField({ key: 'folder', label: 'Folder' }),
    ...createExtraInputFields('rooms.addFile'),
  ],
  perform: async ({ client, z, input }) => {
    const { room: id, document: documentId, folder: folderId } = input;
    const extraFields = collectExtraFields(input);
    const added = await tryFormBodies(FORM_BODIES.roomFile({ documentId, folderId }), extraFields, (body) =>
      client.rooms.addFile({ ...body, id }),
    );
    const sent = { part: 'file', room: id, document: documentId } as const;
    requirePlace(z, added, { ...sent, folder: folderId, extraFields });
    return toRoomPart(added, sent);
  },
  output: createRoomPartOutput('File', { id: 'rfl_9d3t1b7m', name: 'Series A Deck.pdf' }),
});
