import { isLongNumber } from '../exact-json.ts';
import { valueTypes } from './invent.ts';
import type { Schema } from './schema.ts';

/** A value whose type is another than was learned. */
export interface Difference {
  /** `data[].url`; empty for the value itself. */
  readonly at: string;
  readonly learned: string;
  readonly came: string;
}

/** Enough to see how an answer is made, however large it is. */
const MAX_CHECKED_ENTRIES = 50;
const MAX_CHECKED_VALUES = 5000;
const MAX_DEPTH = 12;

/**
 * Where a value is not of the form that was learned. Types alone: a field that lacks, is null or is new is no
 * contradiction, since no learner has seen every object; nor is a fraction where whole numbers were seen.
 */
export function differences(schema: Schema, value: unknown): readonly Difference[] {
  const found = new Map<string, Difference>();
  let left = MAX_CHECKED_VALUES;
  const visit = (form: Schema, one: unknown, { at, level }: { at: string; level: number }) => {
    left -= 1;
    if (left < 0 || level > MAX_DEPTH || found.has(at)) return;
    if (!fitsType(form, one)) {
      found.set(at, { at, learned: valueTypes(form).join(' or '), came: typeName(one) });
      return;
    }
    if (Array.isArray(one)) {
      if (form.items)
        for (const entry of one.slice(0, MAX_CHECKED_ENTRIES))
          visit(form.items, entry, { at: `${at}[]`, level: level + 1 });
      return;
    }
    if (typeof one !== 'object' || one === null) return;
    // By the fields that came: a form may name as many as its file has room for.
    for (const [name, inner] of Object.entries(one)) {
      if (left < 0) return;
      const field = ownField(form, name);
      if (field) visit(field, inner, { at: at === '' ? name : `${at}.${name}`, level: level + 1 });
    }
  };
  visit(schema, value, { at: '', level: 0 });
  return [...found.values()];
}

/** Whether a value shows that it is of a form: an object has one of its fields at least, with a value of its type. */
export function showsForm(schema: Schema | undefined, value: unknown): boolean {
  if (schema === undefined || value === null || value === undefined) return false;
  if (valueTypes(schema).length === 0 || !fitsType(schema, value)) return false;
  if (typeof value !== 'object' || Array.isArray(value)) return true;
  return Object.entries(value).some(([name, inner]) => {
    const field = ownField(schema, name);
    return field !== undefined && fitsType(field, inner);
  });
}

function ownField({ properties = {} }: Schema, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function fitsType(schema: Schema, value: unknown): boolean {
  const types = valueTypes(schema);
  const came = typeName(value);
  if (types.length === 0 || came === 'null') return true;
  const isNumeric = types.includes('number') || types.includes('integer');
  // A number that would be rounded comes as its digits.
  if (came === 'number' || came === 'integer' || (isNumeric && isLongNumber(value))) return isNumeric;
  return types.some((type) => type === came);
}

export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** The value at a path of names, each an own field of an object; undefined where it leads nowhere. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name))
      return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
