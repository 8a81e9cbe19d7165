/** Messages are flat; recursing into a hostile one would overflow the stack. */
export const MAX_JSON_DEPTH = 200;

/** More values than any message has, and few enough to parse quickly. */
export const MAX_JSON_VALUES = 20_000;

export const DUPLICATE_KEY_MESSAGE = 'an object has a duplicate key';

const [QUOTE, BACKSLASH] = [34, 92];
const VALUE_STARTS = new Set([...'{[,'].map((char) => char.charCodeAt(0)));

/** Checks the number of values before parsing: an object of 300,000 keys would block the parser for seconds. */
export function hasMoreValuesThan(maxValues: number, text: string): boolean {
  if (text.length <= maxValues) return false;
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) index = findStringEnd(text, index);
    else if (VALUE_STARTS.has(char) && ++count > maxValues) return true;
  }
  return false;
}

/** Finds duplicate keys in valid JSON: a person could be shown one value and the other be used. */
export function hasDuplicateKey(text: string): boolean {
  /** Keys of each open object; null for arrays. */
  const openObjects: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '"') {
      const end = findStringEnd(text, index);
      const keys = openObjects.at(-1);
      if (keys && expectsKey) {
        const quoted = text.slice(index, end + 1);
        const key = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
        if (keys.has(key)) return true;
        keys.add(key);
      }
      expectsKey = false;
      index = end;
    } else if (char === '{' || char === '[') {
      openObjects.push(char === '{' ? new Set() : null);
      expectsKey = true;
    } else if (char === '}' || char === ']') openObjects.pop();
    else if (char === ',') expectsKey = true;
  }
  return false;
}

/** Index of the closing quote, or the end of the text if there is none. */
export function findStringEnd(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}

/** Iterates level by level, so that no depth overflows the stack. */
export function isDeeperThan(maxDepth: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((parent) =>
      typeof parent === 'object' && parent !== null
        ? Object.values(parent).filter((child) => typeof child === 'object' && child !== null)
        : [],
    );
  }
  return false;
}
