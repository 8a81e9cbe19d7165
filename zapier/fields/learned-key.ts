/** Prefix of the keys of fields from existing records or from a profile. */
export const LEARNED_KEY_PREFIX = 'learned__';

/** Help text about an empty field. */
export const EMPTY_FIELD_HELP = 'Leave empty to use your Docshare default.';

/** True for names (in snake case) that no form offers: IDs, and parts of a person's name. */
export function isExcludedField(snakeName: string): boolean {
  return /(^|_)ids?$|^(first|last)_/.test(snakeName);
}
