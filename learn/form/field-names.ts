import { isObject, normalizeName } from '../../src/answer/fields.ts';
import { ATTRIBUTES_FIELD } from '../../src/assumptions/index.ts';
import { BESIDE_ATTRIBUTES, PAIR_FIELDS, PERSONAL_HOLDER, PERSONAL_HOLDERS } from '../assumptions.ts';
import { isKnownName } from './known-names.ts';

const FIELD = /^[A-Za-z_@$][\w@$.:-]{0,63}$/;
/** As services mark a field that a customer made. */
const CUSTOM = /^(?:cf|udf|custom_?field)[_-]./i;
const HOLDERS = new Set(PERSONAL_HOLDERS.map(normalizeName));
/** `by_user`, `viewsByPerson`, `users_by_email`: what it is ordered by are its names. */
const BY_SOMETHING = /(?:^|_)by_[a-z]|(?:^b|[a-z]B)y[A-Z]/;
/** An object of more names than this is a map. */
const MAX_FIELDS = 120;

/** Whether an object of this name holds what people named themselves, at any depth. */
function isPersonalHolder(name: string): boolean {
  return HOLDERS.has(normalizeName(name)) || PERSONAL_HOLDER.test(name);
}

/** Whether a name is written as services write names of fields: no id, address, host or date stands as a name in a form. */
export function isFieldName(name: string): boolean {
  if (!FIELD.test(name)) return false;
  if (/.@/.test(name) || CUSTOM.test(name)) return false;
  if (name.includes('.') && !/^[@$_]/.test(name) && !isKnownName(name)) return false;
  const digits = name.replace(/\D/g, '').length;
  if (digits >= 3 && name.length >= 8) return false;
  return !(digits >= 2 && name.length >= 16);
}

/** The fields of an object whose names are the service's, and the values that stand under names of other kinds. */
export function splitFields(
  object: Readonly<Record<string, unknown>>,
  name: string,
): { fields: [string, unknown][]; others: unknown[] } {
  const entries = Object.entries(object);
  if (isPersonalHolder(name) || BY_SOMETHING.test(name) || entries.length > MAX_FIELDS)
    return { fields: [], others: Object.values(object) };
  const fields = entries.filter(([key]) => isFieldName(key));
  const others = entries.filter(([key]) => !isFieldName(key)).map(([, value]) => value);
  // Beside addresses and ids a plain word is a name of the same kind.
  const kinds = new Set(Object.values(object).map(getJsonType));
  const isMap = others.length > 0 && kinds.size === 1 && !fields.some(([key]) => isKnownName(key));
  return isMap ? { fields: [], others: Object.values(object) } : { fields, others };
}

const BESIDE = new Set(BESIDE_ATTRIBUTES.map(normalizeName));

/** By which name a field of an object is judged: `attributes` may hold all that the object has, and are no map then. */
export function holderName(object: Readonly<Record<string, unknown>>, name: string): string {
  const isWhole =
    name === ATTRIBUTES_FIELD && Object.keys(object).every((key) => BESIDE.has(normalizeName(key)));
  return isWhole ? '' : name;
}

const PAIR = new Set(PAIR_FIELDS.map(normalizeName));

/** The same of an entry of a list or map: `[{ "key": …, "value": … }]` in the place of a map has names of the service. */
export function entryName(entry: unknown, name: string): string {
  const isPair = isObject(entry) && Object.keys(entry).every((key) => PAIR.has(normalizeName(key)));
  return isPair ? '' : name;
}

/** The same of what stands in a map: people's own names may be nested in one another. */
export function valueName(value: unknown, name: string): string {
  return isPersonalHolder(name) && typeof value === 'object' ? entryName(value, name) : '';
}

function getJsonType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
