import type { Schema } from '../../src/profile/json-schema.ts';
import { getTypes } from '../infer/merge-schemas.ts';

/**
 * Returns the differences: required fields that were removed or added, and changed types. Differences that depend on the
 * contents of the account, such as an occasional null, are not changes.
 */
export function diffSchemas(old: Schema, now: Schema, path = ''): string[] {
  const types = diffType(old, now, path);
  if (types.length > 0) return types;
  const changes: string[] = [];
  const [oldFields, newFields] = [old.properties ?? {}, now.properties ?? {}];
  // A map or an empty object has no field names to compare.
  const bothHaveFields = Object.keys(oldFields).length > 0 && Object.keys(newFields).length > 0;
  for (const name of bothHaveFields ? (old.required ?? []) : [])
    if (!Object.hasOwn(newFields, name) && Object.hasOwn(oldFields, name))
      changes.push(`the field ${path}${name} was removed.`);
  for (const name of bothHaveFields ? (now.required ?? []) : [])
    if (!Object.hasOwn(oldFields, name)) changes.push(`the field ${path}${name} was added.`);
  for (const [name, field] of Object.entries(oldFields)) {
    const same = Object.hasOwn(newFields, name) ? newFields[name] : undefined;
    if (same) changes.push(...diffSchemas(field, same, `${path}${name}.`));
  }
  if (old.items && now.items) changes.push(...diffSchemas(old.items, now.items, path));
  return changes;
}

function diffType(old: Schema, now: Schema, path: string): string[] {
  const [oldTypes, newTypes] = [old, now].map((schema) => getTypes(schema).filter((type) => type !== 'null'));
  if (!oldTypes || !newTypes || oldTypes.length === 0 || newTypes.length === 0) return [];
  const name = path === '' ? 'the body' : `the field ${path.slice(0, -1)}`;
  const isSame = newTypes.some((type) => oldTypes.includes(type) || (isNumber(type) && oldTypes.some(isNumber)));
  if (!isSame) return [`${name} is ${newTypes.join(' or ')} now, and was ${oldTypes.join(' or ')}.`];
  const [format, next] = [old.format, now.format];
  return format !== undefined && next !== undefined && format !== next
    ? [`${name} is ${next} now, and was ${format}.`]
    : [];
}

function isNumber(type: string): boolean {
  return type === 'integer' || type === 'number';
}
