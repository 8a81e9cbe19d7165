import { CREATED_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { isSetByService, isTimeSetByService } from '../../src/assumptions/writable-fields.ts';
import {
  getCreatedAt,
  getName,
  getTextField,
  getTitle,
  idOf,
  isObject,
  type JsonObject,
  toIsoTime,
} from '../../src/records/fields.ts';
import { clipText } from './quote.ts';

const MAX_NESTED_ITEMS = 5;

/** Names of an object's title that mention its kind. SignNow names an agreement by its document, Zoho Sign as a request. */
const OWN_NAME_FIELDS: Readonly<Record<string, readonly string[]>> = {
  agreement: [...RECORD_FIELDS.agreementName, 'request_name', ...RECORD_FIELDS.documentName],
  room: RECORD_FIELDS.roomName,
};

/** Adds `name` to an object without a title, from `link_name` for `link`, or `document_name` for `agreement`. */
export function withOwnName(item: JsonObject, resource: string): JsonObject {
  const own = getTextField(item, OWN_NAME_FIELDS[resource] ?? [`${resource}_name`]);
  return own === undefined || getTitle(item) !== undefined ? item : { ...item, name: own };
}

/** Adds `id` and `name` under these names, whatever the service calls them. Nothing is removed. */
export function withIdAndName(source: JsonObject, resource?: string): JsonObject {
  const item = resource === undefined ? source : withOwnName(source, resource);
  // The output schema promises a string id: any other `id` is replaced.
  const { id: _, ...rest } = item;
  const id = idOf(item, resource);
  const name = getName(item, resource);
  const needsName =
    name !== undefined &&
    name !== id &&
    name !== item['url'] &&
    name !== item['number'] &&
    !/^(string|number)$/.test(typeof item['name']);
  return { ...(id === undefined ? {} : { id }), ...(needsName ? { name } : {}), ...rest };
}

/** Removes null fields, which a model would read as values. */
export function removeNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === null || inner === undefined ? [] : [[name, removeNulls(inner)]],
    ),
  );
}

/** Kinds of objects whose empty fields a caller may set. */
const WRITABLE_RESOURCES: readonly string[] = ['link', 'room', 'agreement', 'proposal', 'template', 'contact'];

/**
 * Brief form of an object: id, name and all plain fields, nested ones one level deep. Empty fields are removed, except
 * those that a caller may set, such as `expires_at`: their names are needed to set them.
 */
export function toBriefItem(item: JsonObject, resource?: string): JsonObject {
  const identifiedItem = withIdAndName(item, resource);
  const brief = { ...pickPlainFields(identifiedItem, 1) };
  if (WRITABLE_RESOURCES.includes(resource ?? ''))
    for (const [name, value] of Object.entries(item)) if (value === null && !isSetByService(name)) brief[name] = null;
  const created = getCreatedAt(item);
  if (created !== undefined && !CREATED_FIELDS.some((name) => Object.hasOwn(brief, name)))
    brief['created_at'] = created;
  const { id, name, ...rest } = brief;
  return { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }), ...rest };
}

function pickPlainFields(value: JsonObject, depth: number): JsonObject {
  const fields: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    const plain = toPlainValue(isTimeSetByService(name) ? formatTime(inner) : inner, depth);
    if (plain !== undefined) fields[name] = plain;
  }
  return fields;
}

/** Converts a Unix time between 2000 and 2100 to ISO 8601, since models convert it wrongly. Other values are kept. */
function formatTime(value: unknown): unknown {
  if (!/^\d{9,13}$/.test(String(value))) return value;
  const time = toIsoTime(Number(value));
  return time !== undefined && time >= '2000' && time < '2100' ? time : value;
}

function toPlainValue(value: unknown, depth: number): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'string') return clipText(value);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    const firstItems = value.slice(0, MAX_NESTED_ITEMS).flatMap((element) => toPlainValue(element, depth) ?? []);
    // Items that are nested too deeply are left out, and counted: an empty list would say that there are none.
    const left = value.length - firstItems.length;
    return left > 0 ? [...firstItems, `… ${left} more`] : firstItems;
  }
  if (depth === 0 || !isObject(value)) return undefined;
  const inner = pickPlainFields(value, depth - 1);
  return Object.keys(inner).length > 0 ? inner : undefined;
}

/** Full form of an object. */
export function toFullItem(item: unknown, resource?: string): JsonObject {
  const clean = removeNulls(item);
  return isObject(clean) ? withIdAndName(clean, resource) : { value: clean };
}
