/**
 * A whole number of so many digits may be more than a number holds exactly. Most texts have none, and are read in one go:
 * five times as fast. The digits of measures and of hashes, and those within a text, stand behind other signs.
 */
const LONG_INTEGER = /(?:^|[[:,\s])-?\d{16,}(?![\d.eE])/;

/**
 * JSON, with each whole number that a number can't hold exactly (from 2^53 on) as the text of its digits. §2 shows no form
 * of most ids: rounded, one is that of another object.
 * @throws SyntaxError for what is no JSON.
 */
export function parseJsonExact(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, reviveLongInteger);
  } catch (error) {
    // Some thousand levels deep, only a reading without a second look at each value does not run out of stack.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** Only a number is written in digits alone; engines that tell no source keep the value. */
function reviveLongInteger(
  _: string,
  value: unknown,
  { source }: { readonly source?: string } = {},
): unknown {
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(String(source)) ? value : source;
}

/** Whether a text is what such a number is given as. */
export function isLongIntegerText(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{16,}$/.test(value) && !Number.isSafeInteger(Number(value));
}
