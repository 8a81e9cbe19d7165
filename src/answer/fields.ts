import {
  ATTRIBUTES_FIELD,
  CREATED_FIELDS,
  ID_FIELDS,
  NAME_FIELDS,
  TITLE_FIELDS,
} from '../assumptions/index.ts';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of an object by its name, in any case and with any separator: `event_type` also finds `EventType`. */
export function getField(item: JsonObject, name: string): unknown {
  if (Object.hasOwn(item, name)) return item[name];
  const wanted = plainName(name);
  const found = Object.keys(item).find((key) => plainName(key) === wanted);
  return found === undefined ? undefined : item[found];
}

/** Names come again with each answer. Those of any service: no more are kept than a service has, and none that is long. */
const plain = new Map<string, string>();
const MAX_CACHED_NAMES = 4000;
const MAX_CACHED_LENGTH = 64;

/** A name as it is compared: in lower case, without separators. */
export function plainName(name: string): string {
  const known = plain.get(name);
  if (known !== undefined) return known;
  const made = name.replace(/[_\s-]+/g, '').toLowerCase();
  if (name.length <= MAX_CACHED_LENGTH && plain.size < MAX_CACHED_NAMES) plain.set(name, made);
  return made;
}

/** The value at a dotted path, each name in any case and with any separator. */
export function readPath(item: unknown, path: string): unknown {
  let value = item;
  for (const name of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = getField(value, name);
  }
  return value;
}

/** The first of `names` that holds a text or a number, as text; a dotted name is a field of a nested object. */
export function textField(item: unknown, names: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  const exact = firstText(names, (name) => (Object.hasOwn(item, name) ? item[name] : undefined));
  if (exact !== undefined) return exact;
  const fields = new Map(Object.entries(item).map(([name, value]) => [plainName(name), value]));
  return firstText(names, (name) =>
    name.includes('.') ? readPath(item, name) : fields.get(plainName(name)),
  );
}

function firstText(names: readonly string[], read: (name: string) => unknown): string | undefined {
  for (const name of names) {
    const value = read(name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  }
  return undefined;
}

/** The id of an object of the service, as text; `resource` also accepts `link_id` and `linkId` for `link`. */
export function idOf(item: unknown, resource?: string): string | undefined {
  const own = resource === undefined ? [] : [`${resource}_id`];
  return textField(item, ID_FIELDS) ?? textField(item, [...own, `${ATTRIBUTES_FIELD}.id`]);
}

/** What a person would call an object of the service. */
export function getTitle(item: unknown): string | undefined {
  return textField(item, TITLE_FIELDS) ?? textField(getAttributes(item), TITLE_FIELDS);
}

/** What tells an object of the service from others: its title, else a number, an address or its id. */
export function nameOf(item: unknown, resource?: string): string | undefined {
  return textField(item, NAME_FIELDS) ?? textField(getAttributes(item), NAME_FIELDS) ?? idOf(item, resource);
}

function getAttributes(item: unknown): unknown {
  return isObject(item) ? item[ATTRIBUTES_FIELD] : undefined;
}

/** When an object was created: a text as given, or a Unix time in seconds or milliseconds as ISO 8601. */
export function createdAtOf(item: unknown): string | undefined {
  return toIsoTime(textField(item, CREATED_FIELDS));
}

/** ISO 8601 for a Unix time in seconds or milliseconds or any date text; undefined where it is no time. */
export function toIsoTime(value: string | number | undefined): string | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  const ms = Number.isFinite(number)
    ? Math.abs(number) < 1e11
      ? number * 1000
      : number
    : Date.parse(String(value));
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined;
}
