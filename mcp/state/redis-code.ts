/** The code of what says nothing, or nothing that has a name. */
export const NO_ANSWER = 'no_answer';
/** The code of a Redis that has no database of the number asked for. */
export const WRONG_DB = 'wrong_db';

const WORD = '([A-Z][A-Z_]{2,19})(?![A-Za-z_])';
/** Redis begins its refusals with a word for each kind; the rest may quote anything. */
const REFUSAL = new RegExp(`^${WORD}`);
/** Older ones wrap what a script met in an ERR of its own. */
const IN_SCRIPT = new RegExp(`^ERR .*@user_script: ?\\d+: -?${WORD}`);
/** What a script may not do; newer ones say NOPERM. */
const DENIED_IN_SCRIPT = /^ERR (?:The user executing the script can't|ACL failure in script)/;
/** Sentinels that are all away: what was wrong with the last one. */
const AT_SENTINEL = new RegExp(`^All sentinels .* Last error: (?:[a-z]+ )?${WORD}`);

/** A word for what is wrong with Redis or the road to it, and nothing else of it; undefined where it has none. */
export function getRedisErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // What a cluster says when none of its nodes can be used.
  if ('lastNodeError' in error && error.lastNodeError) return getRedisErrorCode(error.lastNodeError);
  if (DENIED_IN_SCRIPT.test(error.message)) return 'NOPERM';
  for (const form of [IN_SCRIPT, AT_SENTINEL, REFUSAL]) {
    const word = form.exec(error.message)?.[1];
    if (word !== undefined) return word;
  }
  return undefined;
}
