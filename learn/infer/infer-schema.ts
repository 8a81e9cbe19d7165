import * as assumed from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { isObject } from '../../src/records/fields.ts';
import { ENUM_FIELD_PATTERN, KIND_VALUES, STATE_VALUES } from '../assumptions.ts';
import { getNameForEntry, getNameForField, getNameForValue, splitFields } from './field-names.ts';
import { inferNumberSchema, inferStringSchema } from './infer-scalar-schema.ts';
import { mergeAllSchemas } from './merge-schemas.ts';

/** Values that a profile may contain, because this project knows them. */
const SAFE_ENUM_VALUES: ReadonlySet<string> = new Set([
  ...Object.keys(assumed.ACCESS_LEVELS),
  ...assumed.EVENT_KINDS,
  ...assumed.AGREEMENT_END_EVENTS,
  ...assumed.SENDER_ROLES,
  ...STATE_VALUES,
  ...KIND_VALUES,
  'signer',
]);

/** Maximum nesting; deeper responses are malformed or malicious. */
const MAX_DEPTH = 10;
const MAX_ENTRIES = 200;

/** Infers the schema of a value: names, types and formats, never a value of the account. */
export function inferSchema(value: unknown, name = '', depth = 0): Schema {
  return { ...inferValueSchema(value, name, depth), 'x-seen': 1 };
}

function inferValueSchema(value: unknown, name: string, depth: number): Schema {
  if (value === null || value === undefined) return { type: 'null' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number') return inferNumberSchema(value, name);
  if (typeof value === 'string') return inferEnumSchema(value, name) ?? inferStringSchema(value, name);
  if (depth >= MAX_DEPTH) return { type: Array.isArray(value) ? 'array' : 'object' };
  if (Array.isArray(value)) {
    const items = mergeAllSchemas(
      value.slice(0, MAX_ENTRIES).map((entry) => inferSchema(entry, getNameForEntry(entry, name), depth + 1)),
    );
    return items ? { type: 'array', items } : { type: 'array' };
  }
  return isObject(value) ? inferObjectSchema(value, name, depth) : { type: 'string' };
}

function inferEnumSchema(text: string, name: string): Schema | undefined {
  return ENUM_FIELD_PATTERN.test(name) && SAFE_ENUM_VALUES.has(text) ? { type: 'string', enum: [text] } : undefined;
}

function inferObjectSchema(object: Readonly<Record<string, unknown>>, name: string, depth: number): Schema {
  const { fields, otherValues } = splitFields(object, name);
  const properties = Object.fromEntries(
    fields.map(([key, value]) => [key, inferSchema(value, getNameForField(object, key), depth + 1)]),
  );
  const rest = mergeAllSchemas(
    otherValues.slice(0, MAX_ENTRIES).map((value) => inferSchema(value, getNameForValue(value, name), depth + 1)),
  );
  return {
    type: 'object',
    ...(fields.length > 0 || !rest ? { properties, required: fields.map(([key]) => key) } : {}),
    ...(rest ? { additionalProperties: rest } : {}),
  };
}
