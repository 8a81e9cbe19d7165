import type { Schema } from '../../src/profile/service-profile.ts';

const TYPE_LABELS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The expected type if a value doesn't match it. Null removes a value, whatever its type. */
export function describeMismatch(schema: Schema, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const types = getNonNullTypes(schema);
  if (types.length === 0) return undefined;
  // A price that was a whole number in every response may have cents.
  const actualType = Array.isArray(value) ? 'array' : typeof value === 'number' ? 'number' : typeof value;
  if (!types.some((type) => type === actualType || (type === 'integer' && actualType === 'number'))) {
    const unit = UNIT_LABELS[schema.format ?? ''];
    return `${types.map((type) => TYPE_LABELS[type] ?? type).join(' or ')}${unit ? ` (${unit})` : ''}, not ${TYPE_LABELS[actualType] ?? actualType}`;
  }
  const isDate = (schema.format === 'date-time' || schema.format === 'date') && typeof value === 'string';
  if (!isDate || value === '' || /^\s*\d{4}-\d\d-\d\d/.test(value)) return undefined;
  return `a date${schema.format === 'date' ? ' such as 2026-12-31' : ' and time such as 2026-12-31T18:00:00Z'}`;
}

const UNIT_LABELS: Readonly<Record<string, string>> = {
  'epoch-seconds': 'seconds since 1970',
  'epoch-ms': 'milliseconds since 1970',
};

export function getNonNullTypes({ type }: Schema): readonly string[] {
  const types = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  return types.filter((name) => name !== 'null');
}
