/** Code for an error without a known code. */
export const NO_RESPONSE = 'no_answer';
/** Code for a database number that Redis does not have. */
export const WRONG_DB = 'wrong_db';

const ERROR_CODE = '([A-Z][A-Z_]{2,19})(?![A-Za-z_])';
/** Redis starts errors with a code; the rest may quote anything. */
const ERROR_REPLY = new RegExp(`^${ERROR_CODE}`);
/** Older versions wrap script errors in an ERR. */
const SCRIPT_ERROR = new RegExp(`^ERR .*@user_script: ?\\d+: -?${ERROR_CODE}`);
/** Scripts without permission; newer versions say NOPERM. */
const SCRIPT_DENIED = /^ERR (?:The user executing the script can't|ACL failure in script)/;
/** All sentinels unreachable: the last one's error. */
const SENTINEL_ERROR = new RegExp(`^All sentinels .* Last error: (?:[a-z]+ )?${ERROR_CODE}`);

/** Returns the code of a Redis or network error without its text, or undefined. */
export function getRedisErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // A cluster without usable nodes.
  if ('lastNodeError' in error && error.lastNodeError) return getRedisErrorCode(error.lastNodeError);
  if (SCRIPT_DENIED.test(error.message)) return 'NOPERM';
  for (const pattern of [SCRIPT_ERROR, SENTINEL_ERROR, ERROR_REPLY]) {
    const code = pattern.exec(error.message)?.[1];
    if (code !== undefined) return code;
  }
  return undefined;
}
