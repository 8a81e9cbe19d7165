/** Prefix of the keys of fields from existing records or from a profile. */
export const LEARNED_KEY_PREFIX = 'learned__';

/** Help text about an empty field of a new record. */
export const EMPTY_FIELD_HELP = 'Leave empty to use your Docshare default.';

/** The same for a field of a new or changed record: an update keeps the current value. */
export const EMPTY_LEARNED_FIELD_HELP = 'Leave empty if this step should not set it.';

/** True for names (in snake case) that no form offers: IDs, and parts of a person's name. */
export function isExcludedField(snakeName: string): boolean {
  return /(^|_)ids?$|^(first|last)_/.test(snakeName);
}
