import { generateSample, getValueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { toProfileFields } from '../../src/profile/profile-fields.ts';
import { omitUndefined } from '../omit-undefined.ts';

export type Json = { readonly [name: string]: unknown };

/** Source of a part: the API document, observation of the service, inference from similar operations, or unknown. */
export type Provenance = 'documented' | 'observed' | 'inferred' | 'unknown';

/** Extension that holds the provenance of operations, bodies, responses and fields. */
export const PROVENANCE_EXTENSION = 'x-docshare';
export const createProvenance = (by: Provenance, more: Json = {}): Json => ({
  [PROVENANCE_EXTENSION]: { known: by, ...more },
});

export function getExtension(json: Json): { known?: Provenance; seen?: number; words?: readonly unknown[] } {
  return (json[PROVENANCE_EXTENSION] ?? {}) as ReturnType<typeof getExtension>;
}

/** Maximum nesting; deeper schemas are malformed or malicious. */
const MAX_DEPTH = 40;

/** Converts a learned schema to an open JSON Schema: enum values become examples, since there may be more. */
export function toJsonSchema(schema: Schema, by: Provenance = 'observed', depth = 0): Json {
  if (depth > MAX_DEPTH) return createProvenance('unknown');
  const { type, format, properties, required, items, additionalProperties } = schema;
  // A field that was always null may have any type.
  if (schema.type !== undefined && getValueTypes(schema).length === 0)
    return createProvenance('unknown', { only: 'null' });
  const words = schema.enum ?? [];
  const child = (inner: Schema) => toJsonSchema(inner, by, depth + 1);
  const fields = toProfileFields(schema);
  const requiredNames = new Set(required);
  const requiredFields = fields.flatMap(({ name }) => (requiredNames.has(name) ? [name] : []));
  const examples = words.length > 0 ? words : undefined;
  const notes = omitUndefined({ seen: schema['x-seen'], prefix: schema['x-prefix'], words: examples });
  return omitUndefined({
    type,
    format,
    examples,
    properties: properties && Object.fromEntries(fields.map(({ name, schema: field }) => [name, child(field)])),
    required: requiredFields.length > 0 ? requiredFields : undefined,
    items: items && child(items),
    additionalProperties: additionalProperties && child(additionalProperties),
    ...createProvenance(getValueTypes(schema).length === 0 ? 'unknown' : by, notes),
  });
}

/** Generates a sample value. */
export function createExample(schema: Schema): Json {
  return { example: generateSample(schema, { seed: 'openapi' }) };
}
