import { FORM_BODIES, ROOM_FIELD } from '../../src/assumptions/index.ts';
import { getField, type JsonObject } from '../../src/records/fields.ts';
import { USUAL_FIELDS } from '../assumptions.ts';
import { NameShape, parsePerson, textList } from '../tool/arguments.ts';
import { formatCount, formatShortList, type Headline } from '../tool/headline.ts';
import { defineListTool, defineWriteTool } from './define-tools.ts';
import { describeObject, formatEmail, quoteNewName } from './describe-object.ts';
import { formatChanges, getFieldChanges, toEffectName } from './field-changes.ts';
import { findDocumentUses, formatPlace, refersTo } from './new-version-action.ts';
import { describeNewDocument, findIds, getObjectAction, toEffectParts } from './object-action.ts';
import { readTargetIds } from './object-lookup.ts';
import { getState } from './object-state.ts';
import { findRiskyFields, type WriteSubject } from './risky-fields.ts';
import { formatRoomPart } from './room-parts.ts';
import { setRoomPermissions, withAccessArgument } from './room-permissions.ts';

/** Names the fields that may control access. */
function formatRoomChange(before: string, fields: JsonObject, subject: WriteSubject = 'object'): Headline {
  const changes = getFieldChanges(findRiskyFields(fields, subject), fields);
  return { before: `${before}, with settings that may open it: `, items: formatChanges(changes), noun: 'settings' };
}

/** Names the members of a new group before its other settings. */
function formatNewGroup(room: string, fields: JsonObject): Headline {
  const changes = getFieldChanges(findRiskyFields(fields), fields);
  // Without any, other settings admit people, such as a whole domain.
  const members = changes.flatMap(({ to }) => findMembers(to).map(formatEmail));
  const others = formatChanges(changes.filter(({ to }) => findMembers(to).length === 0));
  return {
    before: `Add visitor group ${quoteNewName(fields)} to room ${room}${members.length === 0 ? '' : ' for '}`,
    items: members,
    noun: 'people',
    after: others.length === 0 ? '.' : `, with ${formatShortList(others, 'settings')}.`,
  };
}

/** Addresses and domains of a new group, each alone, however its fields spell them. */
function findMemberKeys(fields: JsonObject): readonly string[] {
  const changes = getFieldChanges(findRiskyFields(fields), fields);
  const words = changes.flatMap(({ to }) => String(to).split(/[\s,;:<>()"]+/));
  return words.filter((word) => /[@.]\S/.test(word)).map((word) => word.replace(/^[*@.]+/, ''));
}

/** Bodies of a new group, with the addresses of members such as `Ann <ann@example.com>`. */
function toGroupBodies({ name, emails }: JsonObject) {
  const members = Array.isArray(emails) ? emails.map((value) => parsePerson(value)?.email ?? String(value)) : undefined;
  const bodies = FORM_BODIES.roomGroup({ name: name as string, emails: members });
  // If the service rejects a domain, it could accept the next body, but add a group without members.
  return members?.every((member) => parsePerson(member)) === false ? bodies.slice(0, 1) : bodies;
}

/** The members in a text or list with an address: one text may have several, and a list also domains. */
function findMembers(value: unknown): readonly string[] {
  const texts = [value].flat().map(String);
  return texts.some((text) => text.includes('@'))
    ? texts.flatMap((text) => text.split(/[,;\n]\s*|\s(?=[^\s@<>]+@)/))
    : [];
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
            describe: async () => ({ headline: formatRoomChange(`Create room ${quoteNewName(fields)}`, fields) }),
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
        : getObjectAction(['rooms', id], {
            effects: [`rooms.addFolder ${id}`],
            getHeadline: ({ name }) =>
              formatRoomChange(`Add folder ${quoteNewName(fields)} to room ${name}`, fields, 'folder'),
          }),
  }),
  defineWriteTool({
    name: 'add_room_file',
    description: 'Adds an uploaded document to a data room. Visitors with access to its folder can open it at once.',
    operation: 'rooms.addFile',
    id: 'Room ID, from list_rooms.',
    fields: `Fields of the file, usually: ${USUAL_FIELDS.file}.`,
    async confirmation({ id, fields }, context) {
      const documentIds = findIds(fields, 'document');
      const folderId = getField(fields, 'folder_id');
      const named = [...documentIds, folderId].map(String);
      const settings = formatChanges(
        getFieldChanges(Object.keys(fields), fields).filter(
          ({ path, to }) => !(/document|folder/i.test(path) && named.includes(String(to))),
        ),
      );
      return {
        effects: toEffectParts(await readTargetIds(context, ...documentIds)).map((one) => `rooms.addFile ${id} ${one}`),
        async describe(context) {
          const [room, { places, isComplete }, document] = await Promise.all([
            describeObject(context, 'rooms', id),
            findDocumentUses(context, { group: 'links', matches: (link) => refersTo(link, ROOM_FIELD, id) }),
            describeNewDocument(context, fields),
          ]);
          const place = folderId ? `folder ${formatRoomPart(room.item, 'folders', folderId)} of ` : '';
          const open = places.filter(({ item, isOpen }) => isOpen && getState(item) !== 'expired');
          const [link] = open.map((place) => formatPlace(place));
          const openLinks = open.length > 1 ? formatCount(open.length, 'links that are open to anyone') : link;
          const unread = isComplete ? '' : '; not all links could be read';
          const others = openLinks === undefined ? '' : `, as can anyone with ${openLinks}`;
          const sentence = `Add ${document?.name ?? 'a file'} to ${place}room ${room.name}. Everyone with access there can open it at once${others}${unread}`;
          return {
            headline:
              settings.length === 0
                ? `${sentence}.`
                : { before: `${sentence}. Settings: `, items: settings, noun: 'settings' },
            about: document?.about ? { ...room.about, document: document.about } : room.about,
            basis: Object.fromEntries(places.map(({ item }) => item).entries()),
          };
        },
      };
    },
  }),
  withAccessArgument(
    defineWriteTool({
      name: 'add_room_group',
      description:
        'Adds a visitor group to a room, optionally with access. The API cannot change or remove a group, and does not say what a member of two groups can see.',
      operation: 'rooms.addGroup',
      id: 'Room ID, from list_rooms.',
      form: {
        shape: { ...NameShape, emails: textList('Email addresses of its members.').optional() },
        toBodies: toGroupBodies,
      },
      fields: 'Other fields of the group.',
      confirmation: ({ id, fields }) =>
        findRiskyFields(fields).length === 0
          ? undefined
          : getObjectAction(['rooms', id], {
              effects: toEffectParts(findMemberKeys(fields)).map((member) => `rooms.addGroup ${id} ${member}`),
              getHeadline: ({ name }) => formatNewGroup(name, fields),
              notice: 'Its members may get access immediately and may be notified.',
              without: 'groups',
            }),
    }),
  ),
  setRoomPermissions,
];
