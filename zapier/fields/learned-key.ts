/** Before the keys of fields whose names were learned from existing records, or from a profile. */
export const LEARNED_KEY_PREFIX = 'learned__';

/** Whether a field, by its name in snake case, is none for a form: nobody types an id, and a name has a field of its own. */
export function isExcludedField(snakeName: string): boolean {
  return /(^|_)ids?$|^(first|last)_/.test(snakeName);
}
