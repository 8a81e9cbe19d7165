import { operations } from '../../src/operations/index.ts';
import { answeredItem, resourceOf } from '../../src/profile/fields.ts';
import type { LearnedProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { isKnownName } from '../form/field-names.ts';
import { mergeSchemas, typesOf } from '../form/merge-schemas.ts';

/** The fields of each resource in whatever answer it was seen. */
export function concludeResources(called: LearnedProfile['operations']): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  // What reads tell comes first.
  const reads = operations.filter(({ operation }) => operation.effect === 'read');
  for (const named of [...reads, ...operations.filter((one) => !reads.includes(one))]) {
    const resource = resourceOf(named.name);
    const schema = answeredItem({ operations: called }, named.name);
    if (
      named.operation.answers === 'file' ||
      !schema ||
      !typesOf(schema).includes('object') ||
      !schema.properties
    )
      continue;
    // A deletion tells the id and that it is gone: less than the resource has.
    if (named.operation.effect === 'delete' || called[named.name]?.answer?.seen === 0) continue;
    const known = found[resource];
    if (named.operation.effect !== 'read' && known && !isWhole(schema, known)) continue;
    found[resource] = known ? mergeSchemas(known, schema) : schema;
  }
  return found;
}

/** A write may say little of what it wrote: its id, or that it is done. */
function isWhole(schema: Schema, known: Schema): boolean {
  const names = Object.keys(known.properties ?? {});
  const own = schema.properties ?? {};
  return names.filter((name) => Object.hasOwn(own, name)).length * 2 >= names.length;
}

/** Among so many entries, an unknown name that only one of them has may be a person's own. */
const ENOUGH = 4;

/** Takes names that people may have chosen out of the form of an entry. */
export function withoutPersonalNames(schema: Schema): Schema {
  const { properties, required = [] } = schema;
  if (!properties || (schema['x-seen'] ?? 0) < ENOUGH) return schema;
  const isOwn = ([name, field]: [string, Schema]) =>
    (field['x-seen'] ?? 0) > 1 || required.includes(name) || isKnownName(name);
  const kept = Object.entries(properties).filter(isOwn);
  const others = Object.entries(properties).filter((entry) => !isOwn(entry));
  if (others.length === 0) return schema;
  const rest = [
    ...(schema.additionalProperties ? [schema.additionalProperties] : []),
    ...others.map(([, field]) => field),
  ];
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    additionalProperties: rest.reduce(mergeSchemas),
  };
}

/** Changes the part of a form that stands at a path. */
export function changeAt(schema: Schema, path: readonly string[], change: (at: Schema) => Schema): Schema {
  const [name, ...rest] = path;
  if (name === undefined) return change(schema);
  const inner = schema.properties?.[name];
  return inner
    ? { ...schema, properties: { ...schema.properties, [name]: changeAt(inner, rest, change) } }
    : schema;
}
