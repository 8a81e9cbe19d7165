import { ROOM_PARTS, ROOM_PLACE_FIELDS } from '../../src/assumptions/index.ts';
import { getField, getName, getTextField, idOf, isObject, type JsonObject } from '../../src/records/fields.ts';
import { quoteName } from './describe-object.ts';
import { formatValue } from './field-changes.ts';

const MAX_DEPTH = 50;

/** Objects inside a room, such as its groups. */
export function getRoomParts(room: JsonObject | undefined, part: keyof typeof ROOM_PARTS): readonly JsonObject[] {
  const value = room && getField(room, ROOM_PARTS[part]);
  return (isObject(value) ? Object.values(value).filter(Array.isArray) : [value]).flat().filter(isObject);
}

type RoomPart = 'groups' | 'folders' | 'files';

export const getRoomPartId = (item: unknown, part: RoomPart) => idOf(item, part.slice(0, -1));

/** Finds a part of a room by its ID, or a file by the ID of its document. */
export const findRoomPart = (room: JsonObject | undefined, part: RoomPart, id: unknown) =>
  getRoomParts(room, part).find((one) =>
    [getRoomPartId(one, part), getField(one, 'document_id')].some((own) => own && String(own) === String(id)),
  );

/**
 * Name of a part of a room, or else its ID. Folders are added without a question under any name, so one of them comes with
 * those above it, whose rules apply to it, and with the number of those that look the same.
 */
export function formatRoomPart(room: JsonObject | undefined, part: RoomPart, id: unknown): string {
  const format = (one: JsonObject | undefined, id: unknown) => {
    const name = getName(one);
    // A name with an address must not look like a person.
    return name === undefined ? formatValue(id) : quoteName(name);
  };
  const found = findRoomPart(room, part, id);
  const name = format(found, id);
  if (part !== 'folders' || !found) return name;
  const getParent = (folder: unknown) => getTextField(folder, ROOM_PLACE_FIELDS.folder);
  const alike = getRoomParts(room, part).filter(
    (one) => getName(one) === getName(found) && getParent(one) === getParent(found),
  );
  const count = alike.length > 1 ? ` (one of ${alike.length} with this name)` : '';
  const above: string[] = [];
  for (let at = getParent(found); at !== undefined && above.length < MAX_DEPTH; ) {
    const folder = findRoomPart(room, part, at);
    above.push(format(folder, at));
    at = getParent(folder);
  }
  // Many of them would displace the room.
  const shown = above.length > 2 ? [...above.slice(0, 1), '…', ...above.slice(-1)] : above;
  return [`${name}${count}`, ...shown].join(' in ');
}
