/** Long whole numbers may lose precision. Texts without any are parsed five times as fast. */
const LONG_INTEGER = /(?:^|[[:,\s])-?\d{16,}(?![\d.eE])/;

/**
 * Parses JSON, with whole numbers beyond 2^53 as texts of their digits. §2 does not show the form of most
 * IDs, and a rounded ID belongs to another object.
 * @throws SyntaxError if the text is not JSON.
 */
export function parseJsonExact(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, reviveLongInteger);
  } catch (error) {
    // Thousands of levels deep, only parsing without a reviver fits the stack.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** Only numbers consist of digits alone; engines without `source` keep the value. */
function reviveLongInteger(_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(String(source)) ? value : source;
}

/** Returns true for the text of such a number. */
export function isLongIntegerText(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{16,}$/.test(value) && !Number.isSafeInteger(Number(value));
}
