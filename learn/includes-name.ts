import { normalizeName } from '../src/records/fields.ts';

/** Returns whether a list has a name, in any case and with any separators. */
export function includesName(names: readonly string[], name: string): boolean {
  return names.map(normalizeName).includes(normalizeName(name));
}
