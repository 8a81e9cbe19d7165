import { isObject, type JsonObject } from '../../src/answer/fields.ts';

/** Control, bidi and invisible characters, blanks that are no blank, and what looks like the closing quotation mark. */
const POSING =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u201c-\u201f\u2033\u2036\uff02]|(?! )\p{Zs}/gu;

const escaped = (found: string) =>
  [...Array(found.length).keys()]
    .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');

/** A text as data: between quotation marks that nothing in it can close, on one line, cut with the count of what is cut. */
export function quoted(text: unknown, limit = 200): string {
  const whole = String(text);
  // Not through the middle of a surrogate pair.
  const kept = whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  const left = whole.length - kept.length;
  const shown = `"${JSON.stringify(kept).slice(1, -1).replace(POSING, escaped)}"`;
  return left > 0 ? `${shown} (and ${left} more characters, not shown)` : shown;
}

/** JSON that shows on one line what it holds: nothing in it can hide or turn the reading direction. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(POSING, escaped);
}

const DEEPEST = 6;

/** How much of each field is shown. */
export interface Detail {
  readonly lines: number;
  /** Characters of one text. */
  readonly characters: number;
}

/** Every value that will be sent, one a line, under the path by which it is sent. */
export function listArguments(args: JsonObject, { lines: most, characters }: Detail): string[] {
  const { fields, ...named } = args;
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  const entries: [path: string, value: unknown][] = given.map(([name, value]) => [quoteName(name), value]);
  if (isObject(fields))
    for (const [name, value] of Object.entries(fields)) entries.push([`fields.${quoteName(name)}`, value]);
  // Each field by itself: none can push another out of sight.
  return entries.flatMap(([path, value]) => {
    const lines = [...leaves({ path, value, depth: 0, characters })];
    const left = lines.length - most;
    return left > 0 ? [...lines.slice(0, most), `${path}: and ${left} more values, not shown`] : lines;
  });
}

function* leaves(at: { path: string; value: unknown; depth: number; characters: number }): Generator<string> {
  const { path, value, characters } = at;
  const depth = at.depth + 1;
  if (depth > DEEPEST) yield `${path}: ${quoted(JSON.stringify(value), characters)}`;
  else if (Array.isArray(value) && value.length > 0) {
    for (const [index, one] of value.entries())
      yield* leaves({ path: `${path}[${index}]`, value: one, depth, characters });
  } else if (isObject(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value))
      yield* leaves({ path: `${path}.${quoteName(name)}`, value: inner, depth, characters });
  } else yield `${path}: ${typeof value === 'string' ? quoted(value, characters) : visibleJson(value)}`;
}

function quoteName(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : quoted(name, 64);
}
