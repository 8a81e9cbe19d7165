import { REDACTED, redact } from './redact/redact.ts';

/** A word of a sentence may be a path; what is longer is shown as far as it helps to find it. */
const MAX_WORD_LENGTH = 300;
const TRUNCATED_WORD_LENGTH = 100;
const MAX_OUTPUT_LENGTH = 4000;
/** What a command line may hold is megabytes. */
const MAX_INPUT_LENGTH = 100_000;
/** No key is so short: without it a sentence would lose each of its letters. */
const MIN_KEY_LENGTH = 6;
/** What moves the cursor, colours, or turns around what follows; the end of a line stays. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A sentence about what was given at a start, as a terminal may take it: without the key, what looks like one, and who signs in at
 * an address, with the numbers of signs that do not print, and no longer than somebody reads.
 */
export function sanitizeForTerminal(sentence: string, env: NodeJS.ProcessEnv = process.env): string {
  const key = env['DOCSHARE_API_KEY']?.trim() ?? '';
  // Secrets first: a cut would leave the beginning of one.
  const clean = redact(sentence.slice(0, MAX_INPUT_LENGTH), key.length < MIN_KEY_LENGTH ? [] : [key])
    .replace(/[A-Za-z0-9]{24,}/g, (alphanumeric) => (isKeyLike(alphanumeric) ? REDACTED : alphanumeric))
    .replace(/\S+/g, (word) =>
      word.length > MAX_WORD_LENGTH ? `${word.slice(0, TRUNCATED_WORD_LENGTH)}…` : word,
    )
    .replace(UNPRINTABLE, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
  return clean.length > MAX_OUTPUT_LENGTH ? `${clean.slice(0, MAX_OUTPUT_LENGTH)}…` : clean;
}

/** No word of a language, and no number: it may be a key that was given in another thing's place. */
function isKeyLike(alphanumeric: string): boolean {
  const digits = alphanumeric.replace(/\D/g, '').length;
  return digits >= 2 && digits < alphanumeric.length;
}
