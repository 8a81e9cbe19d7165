import { isObject } from '../../src/records/fields.ts';
import { quoteText } from '../result/quote.ts';
import { defineListTool, defineWriteTool } from './define-tools.ts';
import { createObjectPreview, readDocument } from './object-preview.ts';
import { findRiskyFields } from './risky-fields.ts';

export const roomTools = [
  defineListTool({
    name: 'list_rooms',
    description: 'Lists gated rooms.',
    operation: 'rooms.list',
  }),
  defineWriteTool({
    name: 'create_room',
    description: 'Creates an empty gated room; then add folders, files and groups.',
    operation: 'rooms.create',
    fields: 'Fields of the room, named as in list_rooms',
    confirmation: ({ fields }) =>
      findRiskyFields(fields).length === 0
        ? undefined
        : { summary: 'Create a room. Its fields may say who gets in, and with what they get to see.' },
  }),
  defineWriteTool({
    name: 'add_room_folder',
    description: 'Adds a folder to a room, for add_room_file.',
    operation: 'rooms.addFolder',
    id: 'Room id',
    fields: 'Fields of the folder, such as its name',
    confirmation: ({ id, fields }) =>
      findRiskyFields(fields, 'folder').length === 0
        ? undefined
        : {
            summary: `Add a folder to room ${quoteText(id)}. Its fields may say who gets to see it.`,
            preview: createObjectPreview('rooms', String(id)),
          },
  }),
  defineWriteTool({
    name: 'add_room_file',
    description: 'Adds a file to a room; upload the document first.',
    operation: 'rooms.addFile',
    id: 'Room id',
    fields: 'Fields of the file, such as document_id',
    confirmation: ({ id, fields }) => ({
      summary: `Add a file to room ${quoteText(id)}. Whoever may see its place in the room can open it at once.`,
      preview: async (context) => {
        const details = await createObjectPreview('rooms', String(id))(context);
        const document_id = isObject(fields) ? fields['document_id'] : undefined;
        const document =
          typeof document_id === 'string' ? await readDocument(context, document_id) : undefined;
        return document ? { ...details, document } : details;
      },
    }),
  }),
  defineWriteTool({
    name: 'add_room_group',
    description: 'Adds a visitor group to a room; set_room_permissions then says what it sees.',
    operation: 'rooms.addGroup',
    id: 'Room id',
    fields: 'Fields of the group, such as its name',
    confirmation: ({ id, fields }) =>
      findRiskyFields(fields).length === 0
        ? undefined
        : {
            summary: `Add a visitor group to room ${quoteText(id)}. The people in it may get in at once, and may get a message.`,
            preview: createObjectPreview('rooms', String(id)),
          },
  }),
  defineWriteTool({
    name: 'set_room_permissions',
    description: 'Replaces the whole matrix of who sees what in a room. Groups come first.',
    operation: 'rooms.setPermissions',
    id: 'Room id',
    fields: 'The whole matrix, as the service names it',
    confirmation: ({ id }) => ({
      summary: `Replace the whole permissions of room ${quoteText(id)}. Groups may see more or less than before.`,
      preview: createObjectPreview('rooms', String(id)),
    }),
  }),
];
