import { ATTRIBUTES_FIELD, PAGING_KEYS } from '../../src/assumptions/index.ts';
import { isObject, normalizeName } from '../../src/records/fields.ts';
import {
  ATTRIBUTES_SIBLING_FIELDS,
  PAIR_FIELDS,
  USER_DEFINED_MAP_FIELDS,
  USER_DEFINED_MAP_PATTERN,
} from '../assumptions.ts';
import { isKnownName } from './known-names.ts';

const FIELD_NAME = /^[A-Za-z_@$][\w@$.:-]{0,63}$/;
/** Usual prefixes of fields that a customer defined. */
const CUSTOM_FIELD = /^(?:cf|udf|custom_?field)[_-]./i;
const USER_DEFINED_MAPS = new Set(USER_DEFINED_MAP_FIELDS.map(normalizeName));
/** `response_metadata` holds the next page, although its name ends like a map's. */
const PAGING_NAMES = new Set(PAGING_KEYS.map(normalizeName));
/** `by_user`, `viewsByPerson`, `users_by_email`: the keys are values of the grouping. */
const GROUPED_BY = /(?:^|_)by_[a-z]|(?:^b|[a-z]B)y[A-Z]/;
/** An object with more names is a map. */
const MAX_FIELDS = 120;

/** Returns whether an object with this name has user-chosen keys, at any depth. */
function isUserDefinedMap(name: string): boolean {
  const plain = normalizeName(name);
  return USER_DEFINED_MAPS.has(plain) || (USER_DEFINED_MAP_PATTERN.test(name) && !PAGING_NAMES.has(plain));
}

/** Returns whether a name is written like a field name, and not like an ID, address, host or date. */
export function isFieldName(name: string): boolean {
  if (!FIELD_NAME.test(name)) return false;
  if (/.@/.test(name) || CUSTOM_FIELD.test(name)) return false;
  if (name.includes('.') && !/^[@$_]/.test(name) && !isKnownName(name)) return false;
  const digits = name.replace(/\D/g, '').length;
  if (digits >= 3 && name.length >= 8) return false;
  return !(digits >= 2 && name.length >= 16);
}

/** Splits an object into fields with names of the service, and the values under other names. */
export function splitFields(
  object: Readonly<Record<string, unknown>>,
  name: string,
): { fields: [string, unknown][]; otherValues: unknown[] } {
  const entries = Object.entries(object);
  if (isUserDefinedMap(name) || GROUPED_BY.test(name) || entries.length > MAX_FIELDS)
    return { fields: [], otherValues: Object.values(object) };
  const fields = entries.filter(([key]) => isFieldName(key));
  const otherValues = entries.filter(([key]) => !isFieldName(key)).map(([, value]) => value);
  // Next to addresses and IDs, a plain word is a user-chosen key too.
  const kinds = new Set(Object.values(object).map(getJsonType));
  const isMap = otherValues.length > 0 && kinds.size === 1 && !fields.some(([key]) => isKnownName(key));
  return isMap ? { fields: [], otherValues: Object.values(object) } : { fields, otherValues };
}

const ATTRIBUTES_SIBLINGS = new Set(ATTRIBUTES_SIBLING_FIELDS.map(normalizeName));

/** Returns the name to evaluate a field by. `attributes` is not a map if it holds all fields of the object. */
export function getNameForField(object: Readonly<Record<string, unknown>>, name: string): string {
  const isEntireObject =
    name === ATTRIBUTES_FIELD && Object.keys(object).every((key) => ATTRIBUTES_SIBLINGS.has(normalizeName(key)));
  return isEntireObject ? '' : name;
}

const PAIR_FIELD_SET = new Set(PAIR_FIELDS.map(normalizeName));

/** Returns the name to evaluate a list item by. Key-value pairs (`[{ "key": …, "value": … }]`) have service names. */
export function getNameForEntry(entry: unknown, name: string): string {
  const isPair = isObject(entry) && Object.keys(entry).every((key) => PAIR_FIELD_SET.has(normalizeName(key)));
  return isPair ? '' : name;
}

/** Returns the name to evaluate a map value by: user-chosen keys may be nested. */
export function getNameForValue(value: unknown, name: string): string {
  return isUserDefinedMap(name) && typeof value === 'object' ? getNameForEntry(value, name) : '';
}

function getJsonType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
