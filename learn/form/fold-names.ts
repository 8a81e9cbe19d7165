import type { Schema } from '../../src/profile/schema.ts';
import { isKnownName } from './known-names.ts';
import { getTypes, mergeSchemas } from './merge-schemas.ts';

/** As people are called; a service that writes its own names so writes all of them so. */
const CAPITAL = /^[A-Z][a-z]+$/;

/**
 * Takes names of people out of the maps of a form, at any depth: what stands under them counts as `<name>`. `taken` are
 * names that another form showed to be such.
 */
export function foldNames(schema: Schema, taken: ReadonlySet<string> = new Set()): Schema {
  const known = namesIn(schema).filter(isKnownName);
  const isSmall = known.length > 0 && !known.some((name) => /^[A-Z]/.test(name));
  return fold(schema, (name) => taken.has(name) || (isSmall && CAPITAL.test(name)));
}

/** All names of fields in a form. */
export function namesIn({ properties = {}, items, additionalProperties }: Schema): string[] {
  const inner = [...Object.values(properties), items, additionalProperties];
  return [...Object.keys(properties), ...inner.flatMap((one) => (one ? namesIn(one) : []))];
}

function fold(schema: Schema, isPersonal: (name: string) => boolean): Schema {
  const { properties, required, items, additionalProperties, ...plain } = schema;
  const isMap = isMapOfNames(schema);
  const isOwn = ([name]: readonly [string, Schema]) => isKnownName(name) || !(isMap || isPersonal(name));
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, fold(field, isPersonal)] as const,
  );
  const own = fields.filter(isOwn);
  const others = fields.filter((field) => !isOwn(field)).map(([, field]) => field);
  const rest = [...(additionalProperties ? [fold(additionalProperties, isPersonal)] : []), ...others];
  const [first, ...more] = rest;
  const left = new Set(own.map(([name]) => name));
  return {
    ...plain,
    ...(items ? { items: fold(items, isPersonal) } : {}),
    ...(properties && (own.length > 0 || others.length === 0) ? { properties: Object.fromEntries(own) } : {}),
    ...(required ? { required: required.filter((name) => left.has(name)) } : {}),
    ...(first ? { additionalProperties: more.reduce(mergeSchemas, first) } : {}),
  };
}

/** Objects of one place that share no name, and hold the same under each: `{ "anna": 3 }` and `{ "bert": 1 }`. */
function isMapOfNames({ properties = {}, required = [], 'x-seen': seen = 0 }: Schema): boolean {
  const fields = Object.entries(properties);
  if (seen < 2 || fields.length < 2 || required.length > 0) return false;
  if (fields.some(([name, field]) => isKnownName(name) || (field['x-seen'] ?? 0) > seen / 2)) return false;
  return new Set(fields.map(([, field]) => getTypes(field).join())).size === 1;
}
