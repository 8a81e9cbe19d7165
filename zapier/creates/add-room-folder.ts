import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import {
  collectExtraFields,
  createFormField,
  createRecordField,
  overrideFields,
  tryFormBodies,
} from '../fields/form-fields.ts';
import { room } from '../records/kinds.ts';
import { createFolderField, createRoomPartOutput, requirePlace, toRoomPart } from '../records/room-parts.ts';
import { defineAction, type FormInput } from './define-action.ts';

export const addRoomFolder = defineAction<FormInput<'room' | 'name', 'parent_folder'>>({
  key: 'add_room_folder',
  noun: 'Folder',
  label: 'Add Folder to Room',
  description: 'Creates a folder in a room.',
  inputFields: [
    createRecordField(room, { helpText: 'The room to add the folder to.' }),
    createFormField('name', 'Folder Name', { required: true, helpText: 'Visitors see this name.' }),
    createFolderField({ key: 'parent_folder', label: 'Inside Folder' }),
    ...createExtraInputFields('rooms.addFolder'),
  ],
  perform: async ({ client, z, input }) => {
    const { room: id, name, parent_folder: parentId } = input;
    const extraFields = collectExtraFields(input);
    const added = await tryFormBodies(FORM_BODIES.roomFolder({ name, parentId }), extraFields, (body) =>
      client.rooms.addFolder({ ...body, id }),
    );
    const sent = { part: 'folder', room: id, ...overrideFields({ name }, extraFields) } as const;
    requirePlace(z, added, { ...sent, folder: parentId, extraFields });
    return toRoomPart(added, sent);
  },
  output: createRoomPartOutput('Folder', { id: 'fld_5k2j8w6c', name: 'Financials' }),
});
