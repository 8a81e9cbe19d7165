import type { Schema } from '../../src/profile/json-schema.ts';
import { moveFields } from './edit-schema.ts';
import { isKnownName } from './known-names.ts';
import { getTypes } from './merge-schemas.ts';

/** Looks like a person's name, unless the service capitalizes all of its names. */
const CAPITALIZED = /^[A-Z][a-z]+$/;

/**
 * Replaces user-chosen map keys in a schema by `additionalProperties`, at any depth. `userDefinedNames` are keys that
 * another schema showed to be user-chosen.
 */
export function collapseMapKeys(schema: Schema, userDefinedNames: ReadonlySet<string> = new Set()): Schema {
  const known = collectNames(schema).filter(isKnownName);
  const isLowerCase = known.length > 0 && !known.some((name) => /^[A-Z]/.test(name));
  return collapse(schema, (name) => userDefinedNames.has(name) || (isLowerCase && CAPITALIZED.test(name)));
}

export function collectNames({ properties = {}, items, additionalProperties }: Schema): string[] {
  const inner = [...Object.values(properties), items, additionalProperties];
  return [...Object.keys(properties), ...inner.flatMap((one) => (one ? collectNames(one) : []))];
}

function collapse(schema: Schema, isUserDefined: (name: string) => boolean): Schema {
  const isMap = hasUserDefinedKeys(schema);
  return moveFields(schema, {
    isVisible: (name) => isKnownName(name) || !(isMap || isUserDefined(name)),
    change: (inner) => collapse(inner, isUserDefined),
  });
}

/** Returns whether observed objects share no name and all values have one type: `{ "anna": 3 }` and `{ "bert": 1 }`. */
function hasUserDefinedKeys({ properties = {}, required = [], 'x-seen': seen = 0 }: Schema): boolean {
  const fields = Object.entries(properties);
  if (seen < 2 || fields.length < 2 || required.length > 0) return false;
  if (fields.some(([name, field]) => isKnownName(name) || (field['x-seen'] ?? 0) > seen / 2)) return false;
  return new Set(fields.map(([, field]) => getTypes(field).join())).size === 1;
}
