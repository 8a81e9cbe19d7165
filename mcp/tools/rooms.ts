import { lookUp } from '../look-up.ts';
import { listTool, writeTool } from '../tool-kinds.ts';

export const roomTools = [
  listTool({ name: 'list_rooms', description: 'Lists gated rooms.', operation: 'rooms.list' }),
  writeTool({
    name: 'create_room',
    description: 'Creates a gated room.',
    operation: 'rooms.create',
    fields: 'Fields of the room, named as in list_rooms',
  }),
  writeTool({
    name: 'add_room_folder',
    description: 'Adds a folder to a room.',
    operation: 'rooms.addFolder',
    id: 'Room id',
    fields: 'Fields of the folder, such as its name',
  }),
  writeTool({
    name: 'add_room_file',
    description: 'Adds a file to a room; upload the document first.',
    operation: 'rooms.addFile',
    id: 'Room id',
    fields: 'Fields of the file, such as document_id',
  }),
  writeTool({
    name: 'add_room_group',
    description: 'Adds a visitor group to a room.',
    operation: 'rooms.addGroup',
    id: 'Room id',
    fields: 'Fields of the group, such as its name',
  }),
  writeTool({
    name: 'set_room_permissions',
    description: 'Replaces the matrix of who sees what in a room.',
    operation: 'rooms.setPermissions',
    id: 'Room id',
    fields: 'The whole matrix',
    gate: ({ id, fields }) => ({
      will: `Replace the permissions of room ${id} with ${JSON.stringify(fields)}. Groups may see more or less than before.`,
      look: lookUp('rooms', String(id)),
    }),
  }),
];
