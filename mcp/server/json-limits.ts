/** Messages are flat; recursing into a hostile one would overflow the stack. */
export const MAX_JSON_DEPTH = 200;

/** More values than any message has, and few enough to parse quickly. */
export const MAX_JSON_VALUES = 20_000;

export const DUPLICATE_KEY_MESSAGE = 'an object has a duplicate key';

const BACKSLASH = 92;

/** Checks the number of values before parsing: an object of 300,000 keys would block the parser for seconds. */
export function hasMoreValuesThan(maxValues: number, text: string): boolean {
  return text.length > maxValues && countSigns('{[,', text, maxValues) > maxValues;
}

/**
 * Finds duplicate keys: a person could be shown one value and the other be used. Each colon outside of strings follows a key,
 * and of equal keys the parser keeps one.
 * @param value the parsed text, of limited depth
 */
export function hasDuplicateKey(text: string, value: unknown): boolean {
  return countSigns(':', text) > countKeys(value);
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  return children.reduce<number>((sum, child) => sum + countKeys(child), Array.isArray(value) ? 0 : children.length);
}

/** Counts signs outside of strings, at most one more than `max`. */
function countSigns(signs: string, text: string, max = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let index = 0; index < text.length && count <= max; index++) {
    const char = text.charAt(index);
    if (char === '"') index = findStringEnd(text, index);
    else if (signs.includes(char)) count += 1;
  }
  return count;
}

/** Index of the closing quote, or the end of the text if there is none. */
function findStringEnd(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}
