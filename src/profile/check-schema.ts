import { isLongIntegerText } from '../exact-json.ts';
import { getValueTypes } from './generate-sample.ts';
import type { Schema } from './json-schema.ts';

/** A value whose type differs from the profile. */
interface TypeMismatch {
  /** Path such as `data[].url`; empty for the value itself. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

/** Bounds of the check, whatever the size of the response. */
const MAX_CHECKED_ENTRIES = 50;
const MAX_CHECKED_VALUES = 5000;
const MAX_DEPTH = 12;

/** Compares types only; missing, null and new fields match, and fractions match integers. */
export function findTypeMismatches(schema: Schema, value: unknown): readonly TypeMismatch[] {
  const mismatches = new Map<string, TypeMismatch>();
  let remaining = MAX_CHECKED_VALUES;
  const visit = (fieldSchema: Schema, one: unknown, { at, level }: { at: string; level: number }) => {
    remaining -= 1;
    if (remaining < 0 || level > MAX_DEPTH || mismatches.has(at)) return;
    if (!matchesType(fieldSchema, one)) {
      mismatches.set(at, { at, expected: getValueTypes(fieldSchema).join(' or '), actual: getJsonType(one) });
      return;
    }
    if (Array.isArray(one)) {
      if (fieldSchema.items)
        for (const entry of one.slice(0, MAX_CHECKED_ENTRIES))
          visit(fieldSchema.items, entry, { at: `${at}[]`, level: level + 1 });
      return;
    }
    if (typeof one !== 'object' || one === null) return;
    // Iterates over the value's fields: a schema may have any number of them.
    for (const [name, inner] of Object.entries(one)) {
      if (remaining < 0) return;
      const field = getFieldSchema(fieldSchema, name);
      if (field) visit(field, inner, { at: at === '' ? name : `${at}.${name}`, level: level + 1 });
    }
  };
  visit(schema, value, { at: '', level: 0 });
  return [...mismatches.values()];
}

/** Returns true if a value is likely of a schema: for an object, one field with a matching type suffices. */
export function resemblesSchema(schema: Schema | undefined, value: unknown): boolean {
  if (schema === undefined || value === null || value === undefined) return false;
  if (getValueTypes(schema).length === 0 || !matchesType(schema, value)) return false;
  if (typeof value !== 'object' || Array.isArray(value)) return true;
  return Object.entries(value).some(([name, inner]) => {
    const field = getFieldSchema(schema, name);
    return field !== undefined && matchesType(field, inner);
  });
}

function getFieldSchema({ properties = {} }: Schema, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function matchesType(schema: Schema, value: unknown): boolean {
  const types = getValueTypes(schema);
  const actualType = getJsonType(value);
  if (types.length === 0 || actualType === 'null') return true;
  const isNumeric = types.includes('number') || types.includes('integer');
  // Integers that would be rounded arrive as digits.
  if (actualType === 'number' || actualType === 'integer' || (isNumeric && isLongIntegerText(value))) return isNumeric;
  return types.some((type) => type === actualType);
}

export function getJsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Returns the value at a path of own fields; undefined if a field is missing. */
export function getValueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null || Array.isArray(current) || !Object.hasOwn(current, name))
      return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return current;
}
