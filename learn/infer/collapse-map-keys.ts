import type { Schema } from '../../src/profile/json-schema.ts';
import { isKnownName } from './known-names.ts';
import { getTypes, mergeSchemas } from './merge-schemas.ts';

/** As people are called; a service that writes its own names so writes all of them so. */
const CAPITALIZED = /^[A-Z][a-z]+$/;

/**
 * Takes names of people out of the maps of a form, at any depth: what stands under them counts as `<name>`. `userDefinedNames` are
 * names that another form showed to be such.
 */
export function collapseMapKeys(schema: Schema, userDefinedNames: ReadonlySet<string> = new Set()): Schema {
  const known = collectNames(schema).filter(isKnownName);
  const isLowerCase = known.length > 0 && !known.some((name) => /^[A-Z]/.test(name));
  return collapse(schema, (name) => userDefinedNames.has(name) || (isLowerCase && CAPITALIZED.test(name)));
}

/** All names of fields in a form. */
export function collectNames({ properties = {}, items, additionalProperties }: Schema): string[] {
  const inner = [...Object.values(properties), items, additionalProperties];
  return [...Object.keys(properties), ...inner.flatMap((one) => (one ? collectNames(one) : []))];
}

function collapse(schema: Schema, isUserDefined: (name: string) => boolean): Schema {
  const { properties, required, items, additionalProperties, ...plain } = schema;
  const isMap = hasUserDefinedKeys(schema);
  const isServiceField = ([name]: readonly [string, Schema]) =>
    isKnownName(name) || !(isMap || isUserDefined(name));
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, collapse(field, isUserDefined)] as const,
  );
  const serviceFields = fields.filter(isServiceField);
  const others = fields.filter((field) => !isServiceField(field)).map(([, field]) => field);
  const rest = [...(additionalProperties ? [collapse(additionalProperties, isUserDefined)] : []), ...others];
  const [first, ...more] = rest;
  const remainingNames = new Set(serviceFields.map(([name]) => name));
  return {
    ...plain,
    ...(items ? { items: collapse(items, isUserDefined) } : {}),
    ...(properties && (serviceFields.length > 0 || others.length === 0)
      ? { properties: Object.fromEntries(serviceFields) }
      : {}),
    ...(required ? { required: required.filter((name) => remainingNames.has(name)) } : {}),
    ...(first ? { additionalProperties: more.reduce(mergeSchemas, first) } : {}),
  };
}

/** Objects of one place that share no name, and hold the same under each: `{ "anna": 3 }` and `{ "bert": 1 }`. */
function hasUserDefinedKeys({ properties = {}, required = [], 'x-seen': seen = 0 }: Schema): boolean {
  const fields = Object.entries(properties);
  if (seen < 2 || fields.length < 2 || required.length > 0) return false;
  if (fields.some(([name, field]) => isKnownName(name) || (field['x-seen'] ?? 0) > seen / 2)) return false;
  return new Set(fields.map(([, field]) => getTypes(field).join())).size === 1;
}
