import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { getName, getTitle, idOf, isObject, type JsonObject } from '../../src/records/fields.ts';
import { USUAL_FIELDS } from '../assumptions.ts';
import { NameShape, textList } from '../tool/arguments.ts';
import { formatListSentence } from '../tool/headline.ts';
import { defineListTool, defineWriteTool } from './define-tools.ts';
import { describeDocument, describeObject, quoteName } from './describe-object.ts';
import { formatChanges, formatValue, listChanges, quoteFieldName, toEffectName } from './field-changes.ts';
import { getObjectAction } from './object-action.ts';
import { findRiskyFields, type WriteSubject } from './risky-fields.ts';

/** Names the fields that may control access. */
function formatRoomChange(before: string, fields: unknown, subject: WriteSubject = 'object'): string {
  return formatListSentence(
    `${before}. These fields may control who gets in and what they see: `,
    isObject(fields) ? formatChanges(listChanges(findRiskyFields(fields, subject), fields)) : [],
    { noun: 'fields' },
  );
}

/** Names of the objects inside another one, such as a room's groups, by ID. */
function findNames(value: unknown): ReadonlyMap<unknown, string> {
  if (Array.isArray(value)) return new Map(value.flatMap((inner) => [...findNames(inner)]));
  if (!isObject(value)) return new Map();
  const [id, name] = [idOf(value), getName(value)];
  const own: readonly (readonly [unknown, string])[] = id === undefined || name === undefined ? [] : [[id, name]];
  return new Map([...own, ...Object.values(value).flatMap((inner) => [...findNames(inner)])]);
}

const CLOSED = /^(?:none|no|no_access|denied|hidden|false)$/i;

/** One text per rule of a permission matrix, those that give access first: its values, with names instead of known IDs. */
function formatRules(fields: JsonObject, names: ReadonlyMap<unknown, string>): readonly string[] {
  const closesAccess = (rule: JsonObject) => Object.values(rule).some((value) => CLOSED.test(String(value)));
  const getOrder = (rule: JsonObject) => (closesAccess(rule) ? 1 : 0);
  return Object.entries(fields).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isObject)
      ? value
          .toSorted((a, b) => getOrder(a) - getOrder(b))
          .map((rule) =>
            Object.entries(rule)
              .map(([field, inner]) => `${quoteFieldName(field)} ${formatValue(names.get(inner) ?? inner)}`)
              .join(' '),
          )
      : formatChanges(listChanges([name], fields)),
  );
}

export const roomTools = [
  defineListTool({ name: 'list_rooms', description: 'Lists data rooms.', operation: 'rooms.list' }),
  defineWriteTool({
    name: 'create_room',
    description: 'Creates an empty data room. Add folders, files and visitor groups afterwards.',
    operation: 'rooms.create',
    form: { shape: NameShape, toBodies: FORM_BODIES.room },
    fields: `Other fields, usually: ${USUAL_FIELDS.room}.`,
    confirmation: ({ fields }) =>
      findRiskyFields(fields).length === 0
        ? undefined
        : {
            effects: findRiskyFields(fields).map((name) => `rooms.create ${toEffectName(name)}`),
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
    form: { shape: NameShape, toBodies: FORM_BODIES.roomFolder },
    fields: `Other fields, usually: ${USUAL_FIELDS.folder}.`,
    confirmation: ({ id, fields }) =>
      findRiskyFields(fields, 'folder').length === 0
        ? undefined
        : getObjectAction(['rooms', String(id)], {
            effects: [`rooms.addFolder ${id}`],
            getHeadline: ({ name }) => formatRoomChange(`Add a folder to room ${name}`, fields, 'folder'),
          }),
  }),
  defineWriteTool({
    name: 'add_room_file',
    description: 'Adds an uploaded document to a data room. Visitors with access to its folder can open it at once.',
    operation: 'rooms.addFile',
    id: 'Room ID, from list_rooms.',
    fields: `Fields of the file, usually: ${USUAL_FIELDS.file}.`,
    confirmation: ({ id, fields }) => {
      const documentId = isObject(fields) ? fields['document_id'] : undefined;
      const otherNames = Object.keys(isObject(fields) ? fields : {}).filter((name) => name !== 'document_id');
      return {
        effects: [`rooms.addFile ${id} ${documentId ?? ''}`],
        async describe(context) {
          const [room, document] = await Promise.all([
            describeObject(context, 'rooms', String(id)),
            typeof documentId === 'string' ? describeDocument(context, documentId) : undefined,
          ]);
          return {
            headline: formatListSentence(
              `Add ${document?.name ?? 'a file'} to room ${room.name}. Everyone with access there can open it at once. Place: `,
              formatChanges(listChanges(otherNames, isObject(fields) ? fields : {})),
              { noun: 'fields', none: 'the top of the room' },
            ),
            about: document?.about ? { ...room.about, document: document.about } : room.about,
          };
        },
      };
    },
  }),
  defineWriteTool({
    name: 'add_room_group',
    description:
      'Adds a visitor group to a data room. Set what it can see with set_room_permissions. The API has no way to change or remove a group, and does not say what somebody in two groups may see.',
    operation: 'rooms.addGroup',
    id: 'Room ID, from list_rooms.',
    form: {
      shape: { ...NameShape, emails: textList('Email addresses of its members.').optional() },
      toBodies: ({ name, emails }) => FORM_BODIES.roomGroup({ name: name as string, emails: emails as string[] }),
    },
    fields: 'Other fields of the group.',
    confirmation: ({ id, fields }) =>
      findRiskyFields(fields).length === 0
        ? undefined
        : getObjectAction(['rooms', String(id)], {
            effects: [`rooms.addGroup ${id}`],
            getHeadline: ({ name }) =>
              formatRoomChange(
                `Add visitor group ${quoteName(getTitle(fields) ?? 'without a name')} to room ${name}`,
                fields,
              ),
            notice: 'Its members may get access immediately and may be notified.',
            without: 'groups',
          }),
  }),
  defineWriteTool({
    name: 'set_room_permissions',
    description: "Replaces a data room's whole permission matrix, after the user confirms. Create its groups first.",
    operation: 'rooms.setPermissions',
    id: 'Room ID, from list_rooms.',
    fields: `The complete matrix, usually: ${USUAL_FIELDS.permissions}.`,
    confirmation: ({ id, fields }) =>
      getObjectAction(['rooms', String(id)], {
        effects: [`rooms.setPermissions ${id}`],
        getHeadline: ({ name, item }) =>
          formatListSentence(
            `Replace all permissions of room ${name} with: `,
            isObject(fields) ? formatRules(fields, findNames(item)) : [],
            { noun: 'rules', none: 'none' },
          ),
        notice: 'Groups may see more or less than before.',
      }),
  }),
];
