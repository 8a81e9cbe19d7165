import type { PlainInputField, PlainOutputField, ZObject } from 'zapier-platform-core';
import {
  MATRIX_ENVELOPE_FIELDS,
  ROOM_FILE_DOCUMENT_FIELDS,
  ROOM_PARTS,
  ROOM_PLACE_FIELDS,
  SUBFOLDER_FIELDS,
} from '../../src/assumptions/index.ts';
import {
  getField,
  getTextField,
  getTitle,
  getValueAtPath,
  InputError,
  idOf,
  includesName,
  isObject,
  isWholeList,
  type JsonObject,
  normalizeName,
} from '../platform/client-core.ts';
import { type ClientStep, type StepContext, withClient } from '../platform/with-client.ts';
import { toChoiceList } from './choice-names.ts';
import { room } from './kinds.ts';
import { getRecordId } from './record-kind.ts';
import { findById, requireSearched } from './search-records.ts';

/** Finds a room in the list of rooms: the API has no call for a single one (§4). */
export async function fetchRoom(step: ClientStep, id: string): Promise<JsonObject | undefined> {
  return requireSearched(room, await findById(room, step, id))?.item;
}

export function getRoomParts(record: JsonObject | undefined, part: keyof typeof ROOM_PARTS): JsonObject[] {
  const value = record && getField(record, ROOM_PARTS[part]);
  const items = (isObject(value) ? Object.values(value).filter(Array.isArray) : [value]).flat().filter(isObject);
  return part === 'folders' ? withSubfolders(items) : items;
}

/** Adds the folders inside folders. Their lists may also hold files, and the room's own list may have them already. */
function withSubfolders(folders: readonly JsonObject[]): JsonObject[] {
  const isFolder = (item: JsonObject) => !/^(file|document)$/i.test(getTextField(item, ['type']) ?? '');
  const inside = folders.flatMap((folder) =>
    SUBFOLDER_FIELDS.flatMap((name) => getRoomParts({ folders: getField(folder, name) }, 'folders')),
  );
  const ids = folders.map((folder) => getPartId(folder, 'folders'));
  return [...folders, ...inside.filter((item) => isFolder(item) && !ids.includes(getPartId(item, 'folders')))];
}

function getPartId(item: JsonObject, part: keyof typeof ROOM_PARTS): string | undefined {
  return idOf(item, part.slice(0, -1));
}

/**
 * Reads the entries of a room's permission matrix, which a PUT replaces as a whole (§4).
 * @throws InputError if they can't be read, since the write would remove them, and for a missing folder or the name of a group.
 */
export async function fetchPermissionMatrix(
  step: ClientStep,
  { id, group, folder }: { id: string; group: string; folder: string | undefined },
): Promise<JsonObject[]> {
  const record = await fetchRoom(step, id);
  requireFolder(record, folder);
  requireGroupId(record, group);
  const value = record && getField(record, ROOM_PARTS.permissions);
  const list = isObject(value) ? getOnlyList(value) : value;
  if (Array.isArray(list) && list.every(isFlatEntry) && isWholeList(value, ROOM_PARTS.permissions)) return list;
  throw new InputError(
    record === undefined
      ? 'This room was not found, so its permissions cannot be read, and setting one would remove the others. Choose the room again, or choose Yes in "Replace All Other Permissions".'
      : 'The current permissions of this room cannot be read, and setting one would remove the others. Grant the API key Rooms: permissions (datarooms:permissions), or choose to replace all others.',
  );
}

/** @throws InputError if a room shows all its folders, and not this one: an entry for a folder's name changes nothing. */
export function requireFolder(record: JsonObject | undefined, folder: string | undefined): void {
  const value = record && getField(record, ROOM_PARTS.folders);
  const list = isObject(value) ? Object.values(value).find(Array.isArray) : value;
  if (folder === undefined || !Array.isArray(list) || !list.every(isObject)) return;
  const isIn = getRoomParts(record, 'folders').some((item) => getPartId(item, 'folders') === folder);
  if (!isWholeList(value, ROOM_PARTS.folders) || isIn) return;
  throw new InputError(
    `"${folder.slice(0, 60)}" is not a folder of this room. Choose it from the list in the field "Folder", or map its ID.`,
  );
}

/** @throws InputError for a group's name, since an entry with it changes nothing. An ID that the list lacks may be new. */
function requireGroupId(record: JsonObject | undefined, group: string): void {
  const groups = getRoomParts(record, 'groups');
  if (groups.some((item) => getPartId(item, 'groups') === group)) return;
  if (groups.some((item) => getTitle(item) === group))
    throw new InputError(
      `"${group.slice(0, 60)}" is a name, not an ID. Choose the group from the list in the field "Visitor Group", or map its ID.`,
    );
}

/** False for an entry that holds the entries of its folders or files, which another entry of its group would remove. */
function isFlatEntry(entry: unknown): entry is JsonObject {
  const parts = Object.keys(ROOM_PARTS) as (keyof typeof ROOM_PARTS)[];
  return isObject(entry) && parts.every((part) => getRoomParts(entry, part).length === 0);
}

/**
 * Undefined if several lists have entries: one list can't replace them. An object with nothing but metadata is an empty
 * matrix.
 */
function getOnlyList(value: JsonObject): readonly unknown[] | undefined {
  const lists = Object.values(value).filter(Array.isArray);
  const filled = lists.filter(({ length }) => length > 0);
  if (lists.length > 0) return filled.length > 1 ? undefined : (filled[0] ?? []);
  return Object.keys(value).every((name) => MATRIX_ENVELOPE_FIELDS.includes(normalizeName(name))) ? [] : undefined;
}

/** Drop-down list of the folders or groups of the room chosen in the form. */
export function createRoomPartField(
  part: 'folders' | 'groups',
  field: Pick<PlainInputField, 'key' | 'label' | 'required' | 'helpText'> & { key: string },
): PlainInputField {
  return { type: 'string', ...field, dependsOn: ['room'], choices: { perform: createPartChoices(part) } };
}

export function createFolderField(field: { key: string; label: string }): PlainInputField {
  const helpText = 'Leave empty for the top level of the room.';
  return createRoomPartField('folders', { ...field, required: false, helpText });
}

function createPartChoices(part: 'folders' | 'groups') {
  return withClient(async ({ client, z, input }: StepContext<JsonObject>) => {
    const { room: id } = input;
    const record = typeof id === 'string' ? await fetchRoom({ client, z }, id) : undefined;
    const choices = getRoomParts(record, part).flatMap((item) => {
      const partId = getPartId(item, part);
      return partId === undefined ? [] : [{ id: partId, name: getTitle(item) ?? partId }];
    });
    return toChoiceList(choices);
  });
}

export function createRoomPartOutput(noun: string, sample: { id: string; name: string }) {
  const outputFields: PlainOutputField[] = [
    { key: 'id', label: `${noun} ID`, type: 'string' },
    { key: 'name', label: `${noun} Name`, type: 'string' },
    { key: 'room_id', label: 'Room ID', type: 'string' },
    { key: 'raw', label: 'Original Record' },
  ];
  return { outputFields, sample: { ...sample, room_id: room.sample.id, raw: sample } };
}

interface SentPart {
  readonly part: 'file' | 'folder' | 'group';
  readonly room: string;
  readonly name?: string | undefined;
  readonly document?: string;
}

/** Output of an added part: the response, completed by the sent fields. */
export function toRoomPart(response: JsonObject, sent: SentPart): JsonObject {
  const added = getAddedPart(response, sent);
  return {
    id: getPartId(added, `${sent.part}s`) ?? null,
    name: getTitle(added) ?? sent.name ?? null,
    room_id: sent.room,
    raw: response,
  };
}

/** A response may show the room: then the added part is in a list. Empty if it is not, or if two parts look the same. */
export function getAddedPart(response: JsonObject, { part, room: id, name, document }: SentPart): JsonObject {
  const list = getRoomParts(response, `${part}s`);
  const isAdded = (item: JsonObject) =>
    document === undefined ? getTitle(item) === name : getTextField(item, ROOM_FILE_DOCUMENT_FIELDS) === document;
  const shownId = list.length > 0 ? getRecordId(room, response) : idOf(response, part);
  if (shownId !== id || (list.length === 0 && isAdded(response))) return response;
  const [added = {}, ...others] = list.filter(isAdded);
  return others.length === 0 ? added : {};
}

/** @throws HaltedError if the response shows another folder than the form: a service may ignore a field of another name. */
export function requirePlace(
  z: ZObject,
  response: JsonObject,
  sent: SentPart & { part: 'file' | 'folder'; folder: string | undefined; extraFields: JsonObject },
): void {
  const { part, folder, extraFields } = sent;
  const names = ROOM_PLACE_FIELDS[part];
  const added = getAddedPart(response, sent);
  // Additional Fields override the form.
  if (folder === undefined || Object.keys(extraFields).some((name) => includesName(names, name))) return;
  const places = names.map((name) => getValueAtPath(added, name)).filter((id) => id !== undefined);
  if (places.length === 0 || places.some((id) => String(id) === folder)) return;
  throw new z.errors.HaltedError(
    `The ${part} was added to the room, but Docshare does not show it inside the folder that you chose. Move it in Docshare, and do not replay this run.`,
  );
}
