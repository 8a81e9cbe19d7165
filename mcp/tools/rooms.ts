import { isObject } from '../../src/records/fields.ts';
import { quoteText } from '../result/quote.ts';
import { defineListTool, defineWriteTool } from './define-tools.ts';
import { createObjectPreview, readDocument } from './object-preview.ts';
import { findRiskyFields } from './risky-fields.ts';

export const roomTools = [
  defineListTool({ name: 'list_rooms', description: 'Lists data rooms.', operation: 'rooms.list' }),
  defineWriteTool({
    name: 'create_room',
    description: 'Creates an empty data room. Add folders, files and visitor groups afterwards.',
    operation: 'rooms.create',
    fields: 'Fields of the room, such as its name. Use the names that list_rooms returns.',
    confirmation: ({ fields }) =>
      findRiskyFields(fields).length === 0
        ? undefined
        : { summary: 'Create a room. Its fields may control who can get in and what they can see.' },
  }),
  defineWriteTool({
    name: 'add_room_folder',
    description: 'Adds a folder to a data room.',
    operation: 'rooms.addFolder',
    id: 'Room ID, from list_rooms.',
    fields: 'Fields of the folder, such as its name.',
    confirmation: ({ id, fields }) =>
      findRiskyFields(fields, 'folder').length === 0
        ? undefined
        : {
            summary: `Add a folder to room ${quoteText(id)}. Its fields may control who can see it.`,
            preview: createObjectPreview('rooms', String(id)),
          },
  }),
  defineWriteTool({
    name: 'add_room_file',
    description: 'Adds an uploaded document to a data room. Visitors with access to its folder can open it at once.',
    operation: 'rooms.addFile',
    id: 'Room ID, from list_rooms.',
    fields: 'Fields of the file, such as document_id.',
    confirmation: ({ id, fields }) => ({
      summary: `Add a file to room ${quoteText(id)}. Everyone with access to that part of the room can open it immediately.`,
      preview: async (context) => {
        const details = await createObjectPreview('rooms', String(id))(context);
        const document_id = isObject(fields) ? fields['document_id'] : undefined;
        const document = typeof document_id === 'string' ? await readDocument(context, document_id) : undefined;
        return document ? { ...details, document } : details;
      },
    }),
  }),
  defineWriteTool({
    name: 'add_room_group',
    description: 'Adds a visitor group to a data room. Set what it can see with set_room_permissions.',
    operation: 'rooms.addGroup',
    id: 'Room ID, from list_rooms.',
    fields: 'Fields of the group, such as its name.',
    confirmation: ({ id, fields }) =>
      findRiskyFields(fields).length === 0
        ? undefined
        : {
            summary: `Add a visitor group to room ${quoteText(id)}. Its members may get access immediately and may be notified.`,
            preview: createObjectPreview('rooms', String(id)),
          },
  }),
  defineWriteTool({
    name: 'set_room_permissions',
    description: "Replaces a data room's whole permission matrix, after the user confirms. Create its groups first.",
    operation: 'rooms.setPermissions',
    id: 'Room ID, from list_rooms.',
    fields: "The complete permission matrix, in the API's own format.",
    confirmation: ({ id }) => ({
      summary: `Replace all permissions of room ${quoteText(id)}. Groups may see more or less than before.`,
      preview: createObjectPreview('rooms', String(id)),
    }),
  }),
];
