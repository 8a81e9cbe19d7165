/** Messages of the protocol are flat; walking down a hostile one would end in a full stack. */
export const DEEPEST = 200;

/** More values than any message of the protocol has, and few enough to be read at once. */
export const MAX_JSON_VALUES = 20_000;

/** Why a text in which a name is repeated is refused. */
export const TWICE = 'a name stands twice in one object';

const [QUOTE, BACKSLASH] = [34, 92];
/** Each of these begins at most one value. */
const BEGINNINGS = new Set([...'{[,'].map((sign) => sign.charCodeAt(0)));

/**
 * Whether a text of JSON holds more values than these, before it is parsed: an object of 300,000 names takes the parser
 * seconds, in which nobody else is served.
 */
export function holdsMoreThan(values: number, text: string): boolean {
  if (text.length <= values) return false;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (BEGINNINGS.has(sign) && ++count > values) return true;
  }
  return false;
}

/** Whether an object in a sound text of JSON names something twice: a person could be shown one value, and the other done. */
export function repeatsName(text: string): boolean {
  /** The names of each object that is open; of a list null. */
  const open: (Set<string> | null)[] = [];
  let awaitsName = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && awaitsName) {
        const quoted = text.slice(at, end + 1);
        const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
        if (names.has(name)) return true;
        names.add(name);
      }
      awaitsName = false;
      at = end;
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? new Set() : null);
      awaitsName = true;
    } else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',') awaitsName = true;
  }
  return false;
}

/** Where the string that begins here ends; the end of the text where it does not. */
export function endOfString(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}

/** Level by level, so that no depth fills the stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null
        ? Object.values(one).filter((inner) => typeof inner === 'object' && inner !== null)
        : [],
    );
  }
  return false;
}
