/** Messages of the protocol are flat; walking down a hostile one would end in a full stack. */
export const MAX_JSON_DEPTH = 200;

/** More values than any message of the protocol has, and few enough to be read at once. */
export const MAX_JSON_VALUES = 20_000;

/** Why a text in which a name is repeated is refused. */
export const DUPLICATE_KEY_MESSAGE = 'a name stands twice in one object';

const [QUOTE, BACKSLASH] = [34, 92];
/** Each of these begins at most one value. */
const VALUE_STARTS = new Set([...'{[,'].map((char) => char.charCodeAt(0)));

/**
 * Whether a text of JSON holds more values than these, before it is parsed: an object of 300,000 names takes the parser
 * seconds, in which nobody else is served.
 */
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

/** Whether an object in a sound text of JSON names something twice: a person could be shown one value, and the other done. */
export function hasDuplicateKey(text: string): boolean {
  /** The names of each object that is open; of a list null. */
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

/** Where the string that begins here ends; the end of the text where it does not. */
export function findStringEnd(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}

/** Level by level, so that no depth fills the stack. */
export function isDeeperThan(maxDepth: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null
        ? Object.values(one).filter((inner) => typeof inner === 'object' && inner !== null)
        : [],
    );
  }
  return false;
}
