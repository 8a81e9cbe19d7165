import type { JsonType, Schema } from '../../src/profile/json-schema.ts';
import { getSchemaAt } from '../../src/profile/profile-fields.ts';
import { omitUndefined } from '../omit-undefined.ts';

/** Maximum number of enum values; a field with more is free text. */
const MAX_ENUM_VALUES = 24;

export function mergeAllSchemas(schemas: readonly Schema[]): Schema | undefined {
  const [first, ...rest] = schemas;
  return first && rest.reduce(mergeSchemas, first);
}

/** Merges two schemas into one that fits both: a field that only one has is not required. */
export function mergeSchemas(a: Schema, b: Schema): Schema {
  const types = mergeTypes(getTypes(a), getTypes(b));
  // A null does not constrain the other schema.
  const [nonNull, other] = isNull(a) ? [b, a] : [a, b];
  const onlyNonNull = isNull(other) ? nonNull : undefined;
  const format = onlyNonNull ? onlyNonNull.format : a.format === b.format ? a.format : undefined;
  const prefix = onlyNonNull ? onlyNonNull['x-prefix'] : a['x-prefix'] === b['x-prefix'] ? a['x-prefix'] : undefined;
  return omitUndefined({
    type: types.length > 1 ? types : types[0],
    format,
    enum: onlyNonNull ? onlyNonNull.enum : mergeEnums(a, b),
    properties: mergeProperties(a, b),
    required: onlyNonNull ? onlyNonNull.required : mergeRequired(a, b),
    additionalProperties: mergeDefined(a.additionalProperties, b.additionalProperties),
    items: mergeDefined(a.items, b.items),
    'x-prefix': format === 'prefixed-id' ? prefix : undefined,
    'x-seen': (a['x-seen'] ?? 1) + (b['x-seen'] ?? 1),
  });
}

export function getTypes({ type }: Schema): readonly JsonType[] {
  return [type ?? []].flat();
}

function isNull(schema: Schema): boolean {
  return schema.type === 'null';
}

function mergeTypes(a: readonly JsonType[], b: readonly JsonType[]): readonly JsonType[] {
  const all = new Set([...a, ...b]);
  if (all.has('number')) all.delete('integer');
  return [...all].sort((x, y) => Number(x === 'null') - Number(y === 'null'));
}

function mergeEnums(a: Schema, b: Schema): Schema['enum'] {
  if (!a.enum || !b.enum) return undefined;
  const all = [...new Set([...a.enum, ...b.enum])];
  return all.length > MAX_ENUM_VALUES ? undefined : all;
}

function mergeProperties(a: Schema, b: Schema): Schema['properties'] {
  if (!a.properties || !b.properties) return a.properties ?? b.properties;
  const names = new Set([...Object.keys(a.properties), ...Object.keys(b.properties)]);
  return Object.fromEntries(
    [...names].map((name) => [name, mergeDefined(getSchemaAt(a, [name]), getSchemaAt(b, [name])) ?? {}]),
  );
}

function mergeRequired(a: Schema, b: Schema): readonly string[] | undefined {
  const isObject = (schema: Schema) => getTypes(schema).includes('object');
  if (!isObject(a) || !isObject(b)) return a.required ?? b.required;
  const others = new Set(b.required ?? []);
  return (a.required ?? []).filter((name) => others.has(name));
}

function mergeDefined(a: Schema | undefined, b: Schema | undefined): Schema | undefined {
  return a && b ? mergeSchemas(a, b) : (a ?? b);
}
