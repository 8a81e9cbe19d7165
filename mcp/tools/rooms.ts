import { lookUp } from './look-up.ts';
import { listTool, writeTool } from './tool-kinds.ts';

export const roomTools = [
  listTool({
    name: 'list_rooms',
    description: 'Lists gated rooms: find the id to fill, share or measure.',
    operation: 'rooms.list',
  }),
  writeTool({
    name: 'create_room',
    description: 'Creates an empty gated room; then add folders, files and groups.',
    operation: 'rooms.create',
    fields: 'Fields of the room, named as in list_rooms',
  }),
  writeTool({
    name: 'add_room_folder',
    description: 'Adds a folder to a room, for add_room_file.',
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
    description: 'Adds a visitor group to a room; set_room_permissions then says what it sees.',
    operation: 'rooms.addGroup',
    id: 'Room id',
    fields: 'Fields of the group, such as its name',
  }),
  writeTool({
    name: 'set_room_permissions',
    description: 'Replaces the whole matrix of who sees what in a room. Groups come first.',
    operation: 'rooms.setPermissions',
    id: 'Room id',
    fields: 'The whole matrix, as the service names it',
    gate: ({ id, fields }) => ({
      will: `Replace the permissions of room ${id} with ${JSON.stringify(fields)}. Groups may see more or less than before.`,
      look: lookUp('rooms', String(id)),
    }),
  }),
];
