import { REDACTED, redact } from './redact/redact.ts';

/** A word may be a path; longer ones are shortened. */
const MAX_WORD_LENGTH = 300;
const TRUNCATED_WORD_LENGTH = 100;
const MAX_OUTPUT_LENGTH = 4000;
/** A command line may have megabytes. */
const MAX_INPUT_LENGTH = 100_000;
/** Redacting a shorter key would garble the sentence. */
const MIN_KEY_LENGTH = 6;
/** Control, color and direction characters; line breaks stay. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes a message safe for a terminal: short, without keys, credentials and control characters. */
export function sanitizeForTerminal(sentence: string, env: NodeJS.ProcessEnv = process.env): string {
  const key = env['DOCSHARE_API_KEY']?.trim() ?? '';
  // Secrets first: a cut could leave the beginning of one.
  const clean = redact(sentence.slice(0, MAX_INPUT_LENGTH), key.length < MIN_KEY_LENGTH ? [] : [key])
    .replace(/[A-Za-z0-9]{24,}/g, (alphanumeric) => (isKeyLike(alphanumeric) ? REDACTED : alphanumeric))
    .replace(/\S+/g, (word) => (word.length > MAX_WORD_LENGTH ? `${word.slice(0, TRUNCATED_WORD_LENGTH)}…` : word))
    .replace(UNPRINTABLE, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
  return clean.length > MAX_OUTPUT_LENGTH ? `${clean.slice(0, MAX_OUTPUT_LENGTH)}…` : clean;
}

/** Neither a word nor a number: it may be a misplaced key. */
function isKeyLike(alphanumeric: string): boolean {
  const digits = alphanumeric.replace(/\D/g, '').length;
  return digits >= 2 && digits < alphanumeric.length;
}
