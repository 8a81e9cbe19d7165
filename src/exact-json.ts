/** A number of so many digits may be more than a number holds exactly. Most texts have none, and are read in one go. */
const MANY_DIGITS = /\d{16}/;

/**
 * JSON, with each whole number that a number can't hold exactly (from 2^53 on) as the text of its digits. §2 shows no form
 * of most ids: rounded, one is that of another object.
 * @throws SyntaxError for what is no JSON.
 */
export function parseExactly(text: string): unknown {
  return MANY_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const { source } = context ?? {};
  return source !== undefined && /^-?\d+$/.test(source) ? source : value;
}
