import { ACCESS_LEVELS, FORM_BODIES, PERMISSION_FIELDS } from '../../src/assumptions/index.ts';
import {
  collectExtraFields,
  createAdditionalFields,
  createFormField,
  createRecordField,
  parseBoolean,
  parseChoice,
  tryFormBodies,
} from '../fields/form-fields.ts';
import { getTextField, InputError, type JsonObject, normalizeName } from '../platform/client-core.ts';
import { room } from '../records/kinds.ts';
import {
  createRoomPartField,
  fetchPermissionMatrix,
  fetchRoom,
  getRoomParts,
  requireFolder,
} from '../records/room-parts.ts';
import { defineAction, type FormInput } from './define-action.ts';

/** Names of fields with the whole matrix. */
const MATRIX_FIELD_NAMES = FORM_BODIES.roomPermissions([]).flatMap(Object.keys).map(normalizeName);

export const setRoomPermissions = defineAction<FormInput<'room' | 'group' | 'access', 'folder'>>({
  key: 'set_room_permissions',
  noun: 'Room Permission',
  label: 'Set Room Permissions',
  description: 'Sets what a visitor group can see in a room.',
  inputFields: [
    createRecordField(room, { helpText: 'The room with the visitor group.' }),
    createRoomPartField('groups', {
      key: 'group',
      label: 'Visitor Group',
      required: true,
      helpText: 'The group whose access you want to set. Add the group to the room first.',
    }),
    createFormField('access', 'Access', {
      required: true,
      choices: { ...ACCESS_LEVELS },
      helpText: 'What the members of this group can do.',
    }),
    createRoomPartField('folders', {
      key: 'folder',
      label: 'Folder',
      required: false,
      helpText: 'Leave empty to set the access for the whole room.',
    }),
    createFormField('replace_all', 'Replace All Other Permissions', {
      type: 'boolean',
      helpText:
        'Warning: Yes removes the permissions of all other groups and folders in this room. No or empty keeps them.',
    }),
    ...createAdditionalFields('rooms.setPermissions'),
  ],
  perform: async ({ client, z, input }) => {
    const { room: id, group, folder } = input;
    const access = parseChoice(input.access, { choices: ACCESS_LEVELS, label: 'Access' }) ?? 'none';
    const entry = FORM_BODIES.roomPermission({ group, access, folder });
    // PUT replaces the whole matrix (§4), so the other entries are sent along.
    const replacesAll = parseBoolean(input.replace_all, 'Replace All Other Permissions') === true;
    const extraFields = collectExtraFields(input);
    const extraNames = Object.keys({ ...extraFields, ...extraFields.extra });
    if (!replacesAll && extraNames.some((name) => MATRIX_FIELD_NAMES.includes(normalizeName(name))))
      throw new InputError(
        'The Additional Fields contain all permissions of this room and would replace them. Remove that field, or choose Yes in "Replace All Other Permissions".',
      );
    // The others are not read here, so the step continues if the room can't be read.
    if (replacesAll && folder) requireFolder(await fetchRoom({ client, z }, id).catch(() => undefined), folder);
    const currentEntries = replacesAll ? [] : await fetchPermissionMatrix({ client, z }, { id, group, folder });
    const otherEntries = currentEntries.filter((other) => !isSameEntry(other, { group, folder }));
    const response = await tryFormBodies(FORM_BODIES.roomPermissions([...otherEntries, entry]), extraFields, (body) =>
      client.rooms.setPermissions({ ...body, id }),
    );
    const shown = getRoomParts(response, 'permissions').find((other) => isSameEntry(other, { group, folder }));
    const levels = Object.values(shown ?? {}).filter((value) => Object.hasOwn(ACCESS_LEVELS, String(value)));
    if (levels.length > 0 && !levels.includes(access))
      throw new z.errors.HaltedError(
        `Docshare did not apply the access "${ACCESS_LEVELS[access]}": it shows "${ACCESS_LEVELS[levels[0] as typeof access]}" for this group. Set it in Docshare.`,
      );
    return { room_id: id, group_id: group, access, entry_count: otherEntries.length + 1, raw: response };
  },
  output: {
    outputFields: [
      { key: 'room_id', label: 'Room ID', type: 'string' },
      { key: 'group_id', label: 'Group ID', type: 'string' },
      { key: 'access', label: 'Access', type: 'string' },
      { key: 'entry_count', label: 'Number of Entries', type: 'integer' },
      { key: 'raw', label: 'Original Response' },
    ],
    sample: { room_id: 'room_2b6v9z1n', group_id: 'grp_4f8s2v0q', access: 'view', entry_count: 2, raw: {} },
  },
  // Two runs at once would lose an entry.
  lock: { key: 'room-{{bundle.inputData.room}}' },
});

function isSameEntry(entry: JsonObject, target: { group: string; folder: string | undefined }): boolean {
  const group = getTextField(entry, PERMISSION_FIELDS.group);
  const folder = getTextField(entry, PERMISSION_FIELDS.folder);
  // An entry of one file is another one.
  const isForFile = getTextField(entry, [...PERMISSION_FIELDS.file, ...PERMISSION_FIELDS.other]) !== undefined;
  return group === target.group && folder === target.folder && !isForFile;
}
