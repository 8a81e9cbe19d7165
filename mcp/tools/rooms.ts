import { isObject } from '../../src/answer/fields.ts';
import { quoted } from '../answer/quoted.ts';
import { doubtfulFields } from './harmless.ts';
import { lookUp, readDocument } from './look-up.ts';
import { listTool, writeTool } from './tool-kinds.ts';

export const roomTools = [
  listTool({
    name: 'list_rooms',
    description: 'Lists gated rooms.',
    operation: 'rooms.list',
  }),
  writeTool({
    name: 'create_room',
    description: 'Creates an empty gated room; then add folders, files and groups.',
    operation: 'rooms.create',
    fields: 'Fields of the room, named as in list_rooms',
    gate: ({ fields }) =>
      doubtfulFields(fields).length === 0
        ? undefined
        : { summary: 'Create a room. Its fields may say who gets in, and with what they get to see.' },
  }),
  writeTool({
    name: 'add_room_folder',
    description: 'Adds a folder to a room, for add_room_file.',
    operation: 'rooms.addFolder',
    id: 'Room id',
    fields: 'Fields of the folder, such as its name',
    gate: ({ id, fields }) =>
      doubtfulFields(fields, 'folder').length === 0
        ? undefined
        : {
            summary: `Add a folder to room ${quoted(id)}. Its fields may say who gets to see it.`,
            preview: lookUp('rooms', String(id)),
          },
  }),
  writeTool({
    name: 'add_room_file',
    description: 'Adds a file to a room; upload the document first.',
    operation: 'rooms.addFile',
    id: 'Room id',
    fields: 'Fields of the file, such as document_id',
    gate: ({ id, fields }) => ({
      summary: `Add a file to room ${quoted(id)}. Whoever may see its place in the room can open it at once.`,
      preview: async (context) => {
        const about = await lookUp('rooms', String(id))(context);
        const document_id = isObject(fields) ? fields['document_id'] : undefined;
        const document =
          typeof document_id === 'string' ? await readDocument(context, document_id) : undefined;
        return document ? { ...about, document } : about;
      },
    }),
  }),
  writeTool({
    name: 'add_room_group',
    description: 'Adds a visitor group to a room; set_room_permissions then says what it sees.',
    operation: 'rooms.addGroup',
    id: 'Room id',
    fields: 'Fields of the group, such as its name',
    gate: ({ id, fields }) =>
      doubtfulFields(fields).length === 0
        ? undefined
        : {
            summary: `Add a visitor group to room ${quoted(id)}. The people in it may get in at once, and may get a message.`,
            preview: lookUp('rooms', String(id)),
          },
  }),
  writeTool({
    name: 'set_room_permissions',
    description: 'Replaces the whole matrix of who sees what in a room. Groups come first.',
    operation: 'rooms.setPermissions',
    id: 'Room id',
    fields: 'The whole matrix, as the service names it',
    gate: ({ id }) => ({
      summary: `Replace the whole permissions of room ${quoted(id)}. Groups may see more or less than before.`,
      preview: lookUp('rooms', String(id)),
    }),
  }),
];
