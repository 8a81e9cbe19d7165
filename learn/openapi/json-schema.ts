import { generateSample, valueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { toProfileFields } from '../../src/profile/profile-fields.ts';

export type Json = { readonly [name: string]: unknown };

/**
 * How something stands in the document: the API document says it, the service was seen to do it, it is concluded from
 * operations of the same kind, or nobody knows.
 */
export type Provenance = 'documented' | 'seen' | 'concluded' | 'unknown';

/** What tells them apart, on operations, bodies, answers and fields. */
export const EXTENSION = 'x-docshare';
export const known = (by: Provenance, more: Json = {}): Json => ({ [EXTENSION]: { known: by, ...more } });

export function getExtension(json: Json): { known?: Provenance; seen?: number; words?: readonly unknown[] } {
  return (json[EXTENSION] ?? {}) as ReturnType<typeof getExtension>;
}

/** A form nested deeper is a mistake or an attack: what stands below stays open. */
const MAX_DEPTH = 40;

/** A learned form as a JSON Schema: open, since a service may have more, and its words are not all that a value may be. */
export function toJsonSchema(schema: Schema, by: Provenance = 'seen', depth = 0): Json {
  if (depth > MAX_DEPTH) return known('unknown');
  const { type, format, properties, required, items, additionalProperties } = schema;
  // What was empty wherever it was seen may be filled in with anything.
  if (schema.type !== undefined && valueTypes(schema).length === 0) return known('unknown', { only: 'null' });
  const words = schema.enum ?? [];
  const child = (inner: Schema) => toJsonSchema(inner, by, depth + 1);
  const fields = toProfileFields(schema);
  const requiredNames = new Set(required);
  const requiredFields = fields.flatMap(({ name }) => (requiredNames.has(name) ? [name] : []));
  const notes = {
    ...(schema['x-seen'] === undefined ? {} : { seen: schema['x-seen'] }),
    ...(schema['x-prefix'] === undefined ? {} : { prefix: schema['x-prefix'] }),
    ...(words.length > 0 ? { words } : {}),
  };
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(words.length > 0 ? { examples: words } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(fields.map(({ name, schema: field }) => [name, child(field)])),
        }
      : {}),
    ...(requiredFields.length > 0 ? { required: requiredFields } : {}),
    ...(items ? { items: child(items) } : {}),
    ...(additionalProperties ? { additionalProperties: child(additionalProperties) } : {}),
    ...known(valueTypes(schema).length === 0 ? 'unknown' : by, notes),
  };
}

/** An invented value of a form, for people to look at. */
export function createExample(schema: Schema): Json {
  return { example: generateSample(schema, { seed: 'openapi' }) };
}

/** The same form with another schema in the place of what stands at a path. */
export function replaceAtPath(schema: Json, path: readonly string[], replace: (inner: Json) => Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) return replace(schema);
  const { properties } = schema as { properties?: Record<string, Json> };
  const inner = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!inner) return schema;
  return { ...schema, properties: { ...properties, [name]: replaceAtPath(inner, rest, replace) } };
}
