/** The code of what says nothing, or nothing that has a name. */
export const NO_RESPONSE = 'no_answer';
/** The code of a Redis that has no database of the number asked for. */
export const WRONG_DB = 'wrong_db';

const ERROR_CODE = '([A-Z][A-Z_]{2,19})(?![A-Za-z_])';
/** Redis begins its refusals with a word for each kind; the rest may quote anything. */
const ERROR_REPLY = new RegExp(`^${ERROR_CODE}`);
/** Older ones wrap what a script met in an ERR of its own. */
const SCRIPT_ERROR = new RegExp(`^ERR .*@user_script: ?\\d+: -?${ERROR_CODE}`);
/** What a script may not do; newer ones say NOPERM. */
const SCRIPT_DENIED = /^ERR (?:The user executing the script can't|ACL failure in script)/;
/** Sentinels that are all away: what was wrong with the last one. */
const SENTINEL_ERROR = new RegExp(`^All sentinels .* Last error: (?:[a-z]+ )?${ERROR_CODE}`);

/** A word for what is wrong with Redis or the road to it, and nothing else of it; undefined where it has none. */
export function getRedisErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // What a cluster says when none of its nodes can be used.
  if ('lastNodeError' in error && error.lastNodeError) return getRedisErrorCode(error.lastNodeError);
  if (SCRIPT_DENIED.test(error.message)) return 'NOPERM';
  for (const pattern of [SCRIPT_ERROR, SENTINEL_ERROR, ERROR_REPLY]) {
    const code = pattern.exec(error.message)?.[1];
    if (code !== undefined) return code;
  }
  return undefined;
}
