import { getTitle, isObject } from '../../src/records/fields.ts';
import { formatListSentence } from '../tool/headline.ts';
import { defineListTool, defineWriteTool } from './define-tools.ts';
import { describeDocument, describeObject, formatChanges, quoteName } from './describe-object.ts';
import { getObjectAction } from './object-action.ts';
import { findRiskyFields, type WriteSubject } from './risky-fields.ts';

/** Names the fields that may control access. */
function formatRoomChange(before: string, fields: unknown, subject: WriteSubject = 'object'): string {
  return formatListSentence(
    `${before}. These fields may control who gets in and what they see: `,
    isObject(fields) ? formatChanges(findRiskyFields(fields, subject), fields) : [],
    { noun: 'fields' },
  );
}

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
        : {
            effect: `rooms.create ${findRiskyFields(fields).toSorted().join(' ')}`,
            describe: async () => ({
              headline: formatRoomChange(`Create room ${quoteName(getTitle(fields) ?? 'without a name')}`, fields),
            }),
          },
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
        : getObjectAction(['rooms', String(id)], {
            effect: `rooms.addFolder ${id}`,
            getHeadline: ({ name }) => formatRoomChange(`Add a folder to room ${name}`, fields, 'folder'),
          }),
  }),
  defineWriteTool({
    name: 'add_room_file',
    description: 'Adds an uploaded document to a data room. Visitors with access to its folder can open it at once.',
    operation: 'rooms.addFile',
    id: 'Room ID, from list_rooms.',
    fields: 'Fields of the file, such as document_id.',
    confirmation: ({ id, fields }) => {
      const documentId = isObject(fields) ? fields['document_id'] : undefined;
      return {
        effect: `rooms.addFile ${id} ${documentId ?? ''}`,
        async describe(context) {
          const [room, document] = await Promise.all([
            describeObject(context, 'rooms', String(id)),
            typeof documentId === 'string' ? describeDocument(context, documentId) : undefined,
          ]);
          return {
            headline: `Add ${document?.name ?? 'a file'} to room ${room.name}. Everyone with access to that part of the room can open it immediately.`,
            about: document?.about ? { ...room.about, document: document.about } : room.about,
          };
        },
      };
    },
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
        : getObjectAction(['rooms', String(id)], {
            effect: `rooms.addGroup ${id}`,
            getHeadline: ({ name }) =>
              formatRoomChange(
                `Add visitor group ${quoteName(getTitle(fields) ?? 'without a name')} to room ${name}`,
                fields,
              ),
            notice: 'Its members may get access immediately and may be notified.',
          }),
  }),
  defineWriteTool({
    name: 'set_room_permissions',
    description: "Replaces a data room's whole permission matrix, after the user confirms. Create its groups first.",
    operation: 'rooms.setPermissions',
    id: 'Room ID, from list_rooms.',
    fields: "The complete permission matrix, in the API's own format.",
    confirmation: ({ id }) =>
      getObjectAction(['rooms', String(id)], {
        effect: `rooms.setPermissions ${id}`,
        getHeadline: ({ name }) => `Replace all permissions of room ${name}. Groups may see more or less than before.`,
      }),
  }),
];
