import {
  ATTRIBUTES_FIELD,
  CREATED_FIELDS,
  ID_FIELDS,
  NAME_FIELDS,
  PERSON_NAME_FIELDS,
  RECORD_FIELDS,
  TITLE_FIELDS,
} from '../assumptions/index.ts';
import { memoizeByName } from './memoize-by-name.ts';

export type JsonObject = Record<string, unknown>;

const OWN_ID_FIELDS: Readonly<Record<string, readonly string[]>> = {
  agreement: RECORD_FIELDS.agreementId,
  room: RECORD_FIELDS.roomId,
};

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field by name, in any case and with any separator: `event_type` also finds `EventType`. */
export function getField(item: JsonObject, name: string): unknown {
  if (Object.hasOwn(item, name)) return item[name];
  const normalizedName = normalizeName(name);
  const found = Object.keys(item).find((key) => normalizeName(key) === normalizedName);
  return found === undefined ? undefined : item[found];
}

/** Lower case, without separators, for comparison. */
export const normalizeName = memoizeByName((name) => name.replace(/[_\s-]+/g, '').toLowerCase());

export const normalizeNames = (names: readonly string[]): string[] => names.map(normalizeName);
export const createNameSet = (names: readonly string[]): ReadonlySet<string> => new Set(normalizeNames(names));

/** Returns whether a list has a name, in any case and with any separator. */
export const includesName = (names: readonly string[], name: string): boolean =>
  names.some((known) => normalizeName(known) === normalizeName(name));

/** Returns the value at a dotted path; each name matches in any case and with any separator. */
export function getValueAtPath(item: unknown, path: string): unknown {
  let value = item;
  for (const name of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = getField(value, name);
  }
  return value;
}

/** Returns the first of `names` with a text or number, as text; a dotted name is a nested field. */
export function getTextField(item: unknown, names: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  const exact = findFirstText(names, (name) => (Object.hasOwn(item, name) ? item[name] : undefined));
  if (exact !== undefined) return exact;
  const fields = new Map(Object.entries(item).map(([name, value]) => [normalizeName(name), value]));
  return findFirstText(names, (name) =>
    name.includes('.') ? getValueAtPath(item, name) : fields.get(normalizeName(name)),
  );
}

/** Returns the first value that is a text or a number, as text. */
export function findFirstText(names: readonly string[], getValue: (name: string) => unknown): string | undefined {
  for (const name of names) {
    const value = getValue(name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  }
  return undefined;
}

/**
 * Returns the ID of an object as text; `resource` also accepts `link_id` and `linkId` for `link`, and `envelope_id` for
 * `agreement`.
 */
export function idOf(item: unknown, resource?: string): string | undefined {
  const ownIdFields = resource === undefined ? [] : (OWN_ID_FIELDS[resource] ?? [`${resource}_id`]);
  return getTextField(item, ID_FIELDS) ?? getTextField(item, [...ownIdFields, `${ATTRIBUTES_FIELD}.id`]);
}

/** Returns the title of an object; unlike `getName`, no number, URL or ID in its place. */
export function getTitle(item: unknown): string | undefined {
  return findName(item, TITLE_FIELDS) ?? findName(getAttributes(item), TITLE_FIELDS);
}

/** Returns an object's title, or else a number, URL or ID that identifies it. */
export function getName(item: unknown, resource?: string): string | undefined {
  return findName(item, NAME_FIELDS) ?? findName(getAttributes(item), NAME_FIELDS) ?? idOf(item, resource);
}

/** Returns the first and last name of a person, where a service has no full name: that is better than an email address. */
export function getPersonName(item: unknown): string | undefined {
  const parts = PERSON_NAME_FIELDS.map((names) => getTextField(item, names)).filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' ') : undefined;
}

/** Beside a first and last name, a title is a job title. */
function findName(item: unknown, fields: readonly string[]): string | undefined {
  const name = getTextField(item, RECORD_FIELDS.fullName);
  if (name !== undefined && !name.includes('@')) return name;
  return getPersonName(item) ?? getTextField(item, fields);
}

function getAttributes(item: unknown): unknown {
  return isObject(item) ? item[ATTRIBUTES_FIELD] : undefined;
}

/** Returns an object's creation time as ISO 8601, from a text or Unix seconds or milliseconds. */
export function getCreatedAt(item: unknown): string | undefined {
  return toIsoTime(getTextField(item, CREATED_FIELDS));
}

/** Converts a Unix time in seconds or milliseconds, or a date text, to ISO 8601; undefined if invalid. */
export function toIsoTime(value: string | number | undefined): string | undefined {
  const number = Number(value);
  const ms = Number.isFinite(number) ? (Math.abs(number) < 1e11 ? number * 1000 : number) : Date.parse(String(value));
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined;
}
