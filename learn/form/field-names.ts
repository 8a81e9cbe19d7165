import { plainName } from '../../src/answer/fields.ts';
import * as assumptions from '../../src/assumptions/index.ts';
import { operations } from '../../src/operations/index.ts';
import { COMMON_WORDS, KIND_WORDS, PERSONAL_HOLDERS } from '../assumptions.ts';

const FIELD = /^[A-Za-z_@$][\w@$.:-]{0,63}$/;
/** As services mark a field that a customer made. */
const CUSTOM = /^(?:cf|udf|custom_?field)[_-]./i;
const HOLDERS = new Set(PERSONAL_HOLDERS.map(plainName));
/** `by_user`, `viewsByPerson`, `users_by_email`: what it is ordered by are its names. */
const BY_SOMETHING = /(?:^|_)by_[a-z]|(?:^b|[a-z]B)y[A-Z]/;
/** An object of more names than this is a map. */
const MOST_FIELDS = 120;

/** All names that the project knows of, compared without case and separators. */
const KNOWN = new Set(
  [
    ...textsIn(assumptions),
    ...KIND_WORDS,
    ...operations.flatMap(({ operation }) => shapeOf(operation)),
  ].flatMap((text) => text.split('.').map(plainName)),
);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ');
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

function shapeOf({ input, output }: { input: object; output: object }): string[] {
  return [input, output].flatMap((schema) => ('shape' in schema ? Object.keys(schema.shape as object) : []));
}

/** The words that all these names are made of, and those that fields of any service are. */
const KNOWN_WORDS = new Set([
  ...[...textsIn(assumptions), ...KIND_WORDS, ...COMMON_WORDS].flatMap(wordsOf),
  ...operations.flatMap(({ operation }) => shapeOf(operation).flatMap(wordsOf)),
]);

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 0);
}

/** Whether a name stands in the API document or among the project's own guesses, or is made of their words. */
export function isKnownName(name: string): boolean {
  return KNOWN.has(plainName(name)) || wordsOf(name).every((word) => KNOWN_WORDS.has(word));
}

/** Whether an object of this name holds what people named themselves. */
export function isPersonalHolder(name: string): boolean {
  return HOLDERS.has(plainName(name)) || BY_SOMETHING.test(name);
}

/** Whether a name may be one that the service chose: no id, address, host or date stands as a name in a form. */
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
  if (isPersonalHolder(name) || entries.length > MOST_FIELDS)
    return { fields: [], others: Object.values(object) };
  const fields = entries.filter(([key]) => isFieldName(key));
  const others = entries.filter(([key]) => !isFieldName(key)).map(([, value]) => value);
  // Beside addresses and ids a plain word is a name of the same kind.
  const kinds = new Set(Object.values(object).map(kindOf));
  const isMap = others.length > 0 && kinds.size === 1 && !fields.some(([key]) => isKnownName(key));
  return isMap ? { fields: [], others: Object.values(object) } : { fields, others };
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
