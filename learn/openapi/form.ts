import { toProfileFields } from '../../src/profile/fields.ts';
import { generateSample, valueTypes } from '../../src/profile/invent.ts';
import type { Schema } from '../../src/profile/schema.ts';

export type Json = { readonly [name: string]: unknown };

/**
 * How something stands in the document: the API document says it, the service was seen to do it, it is concluded from
 * operations of the same kind, or nobody knows.
 */
export type Known = 'documented' | 'seen' | 'concluded' | 'unknown';

/** What tells them apart, on operations, bodies, answers and fields. */
export const EXTENSION = 'x-docshare';
export const known = (by: Known, more: Json = {}): Json => ({ [EXTENSION]: { known: by, ...more } });

export function getExtension(json: Json): { known?: Known; seen?: number; words?: readonly unknown[] } {
  return (json[EXTENSION] ?? {}) as ReturnType<typeof getExtension>;
}

/** A form nested deeper is a mistake or an attack: what stands below stays open. */
const MAX_DEPTH = 40;

/** A learned form as a JSON Schema: open, since a service may have more, and its words are not all that a value may be. */
export function toJsonSchema(schema: Schema, by: Known = 'seen', depth = 0): Json {
  if (depth > MAX_DEPTH) return known('unknown');
  const { type, format, properties, required, items, additionalProperties } = schema;
  // What was empty wherever it was seen may be filled in with anything.
  if (schema.type !== undefined && valueTypes(schema).length === 0) return known('unknown', { only: 'null' });
  const words = schema.enum ?? [];
  const below = (inner: Schema) => toJsonSchema(inner, by, depth + 1);
  const fields = toProfileFields(schema);
  const always = new Set(required);
  const needed = fields.flatMap(({ name }) => (always.has(name) ? [name] : []));
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
          properties: Object.fromEntries(fields.map(({ name, schema: field }) => [name, below(field)])),
        }
      : {}),
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(items ? { items: below(items) } : {}),
    ...(additionalProperties ? { additionalProperties: below(additionalProperties) } : {}),
    ...known(valueTypes(schema).length === 0 ? 'unknown' : by, notes),
  };
}

/** An invented value of a form, for people to look at. */
export function createExample(schema: Schema): Json {
  return { example: generateSample(schema, { seed: 'openapi' }) };
}

/** The same form with another schema in the place of what stands at a path. */
export function withPlace(form: Json, path: readonly string[], place: (inner: Json) => Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) return place(form);
  const { properties } = form as { properties?: Record<string, Json> };
  const inner = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!inner) return form;
  return { ...form, properties: { ...properties, [name]: withPlace(inner, rest, place) } };
}
