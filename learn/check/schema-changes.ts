import type { Schema } from '../../src/profile/schema.ts';
import { getTypes } from '../form/merge-schemas.ts';

/**
 * What a form has become: fields that always were and are gone, fields that always are and never were, and other types. What
 * depends on the entries of an account, such as a null here and there, is no change.
 */
export function schemaChanges(old: Schema, now: Schema, path = ''): string[] {
  const types = typeChange(old, now, path);
  if (types.length > 0) return types;
  const changes: string[] = [];
  const [was, is] = [old.properties ?? {}, now.properties ?? {}];
  // A map and an object of no fields say nothing of names.
  const isTold = Object.keys(was).length > 0 && Object.keys(is).length > 0;
  for (const name of isTold ? (old.required ?? []) : [])
    if (!Object.hasOwn(is, name) && Object.hasOwn(was, name))
      changes.push(`the field ${path}${name} is gone.`);
  for (const name of isTold ? (now.required ?? []) : [])
    if (!Object.hasOwn(was, name)) changes.push(`the field ${path}${name} is new.`);
  for (const [name, field] of Object.entries(was)) {
    const same = Object.hasOwn(is, name) ? is[name] : undefined;
    if (same) changes.push(...schemaChanges(field, same, `${path}${name}.`));
  }
  if (old.items && now.items) changes.push(...schemaChanges(old.items, now.items, path));
  return changes;
}

function typeChange(old: Schema, now: Schema, path: string): string[] {
  const [was, is] = [old, now].map((schema) => getTypes(schema).filter((type) => type !== 'null'));
  if (!was || !is || was.length === 0 || is.length === 0) return [];
  const name = path === '' ? 'the body' : `the field ${path.slice(0, -1)}`;
  const isSame = is.some((type) => was.includes(type) || (isNumber(type) && was.some(isNumber)));
  if (!isSame) return [`${name} is ${is.join(' or ')} now, and was ${was.join(' or ')}.`];
  const [format, next] = [old.format, now.format];
  return format !== undefined && next !== undefined && format !== next
    ? [`${name} is ${next} now, and was ${format}.`]
    : [];
}

function isNumber(type: string): boolean {
  return type === 'integer' || type === 'number';
}
