import type { Schema } from '../../src/profile/json-schema.ts';
import { getTypes } from '../infer/merge-schemas.ts';

/**
 * What a form has become: fields that always were and are gone, fields that always are and never were, and other types. What
 * depends on the entries of an account, such as a null here and there, is no change.
 */
export function diffSchemas(old: Schema, now: Schema, path = ''): string[] {
  const types = diffType(old, now, path);
  if (types.length > 0) return types;
  const changes: string[] = [];
  const [oldFields, newFields] = [old.properties ?? {}, now.properties ?? {}];
  // A map and an object of no fields say nothing of names.
  const bothHaveFields = Object.keys(oldFields).length > 0 && Object.keys(newFields).length > 0;
  for (const name of bothHaveFields ? (old.required ?? []) : [])
    if (!Object.hasOwn(newFields, name) && Object.hasOwn(oldFields, name))
      changes.push(`the field ${path}${name} is gone.`);
  for (const name of bothHaveFields ? (now.required ?? []) : [])
    if (!Object.hasOwn(oldFields, name)) changes.push(`the field ${path}${name} is new.`);
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
  const isSame = newTypes.some(
    (type) => oldTypes.includes(type) || (isNumber(type) && oldTypes.some(isNumber)),
  );
  if (!isSame) return [`${name} is ${newTypes.join(' or ')} now, and was ${oldTypes.join(' or ')}.`];
  const [format, next] = [old.format, now.format];
  return format !== undefined && next !== undefined && format !== next
    ? [`${name} is ${next} now, and was ${format}.`]
    : [];
}

function isNumber(type: string): boolean {
  return type === 'integer' || type === 'number';
}
