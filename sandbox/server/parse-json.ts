import { createFieldRejection } from '../handlers/request-body.ts';

/** What a JSON body may hold: far more than any request needs, and little enough to be shown in every list again. */
const LIMITS = { depth: 32, values: 20_000, keyLength: 200, textLength: 100_000 } as const;

interface Level {
  /** The names so far, in an object. */
  readonly names: Set<string> | null;
  expectsName: boolean;
}

/**
 * Parses a JSON body that was bounded on its text first, before anything is built from it.
 *
 * @param longTexts whether texts may be as long as the body itself, as an inline file is
 * @throws Refusal `badBody` for what is no JSON, goes beyond the bounds, or could not be given back as it came
 */
export function parseBoundedJson(text: string, allowLongTexts = false): unknown {
  checkLimits(text, allowLongTexts);
  const value = parse(text);
  assertStorable(value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createRejection('It is not JSON');
  }
}

/** One pass over the text that looks at its signs alone; whether they stand in order, the parser finds out. */
function checkLimits(text: string, allowLongTexts: boolean): void {
  const levels: Level[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    const level = levels.at(-1);
    if (char === '"') {
      const end = findStringEnd(text, at);
      if (level?.names && level.expectsName) addName(level, text.slice(at, end + 1));
      else if (!allowLongTexts && end - at > LIMITS.textLength)
        throw createRejection(`It holds a text of more than ${LIMITS.textLength} characters`);
      at = end;
    } else if (char === '{' || char === '[') {
      if (levels.length >= LIMITS.depth)
        throw createRejection(`It is nested deeper than ${LIMITS.depth} levels`);
      levels.push({ names: char === '{' ? new Set() : null, expectsName: true });
      values += 1;
    } else if (char === '}' || char === ']') levels.pop();
    else if (char === ',') {
      if (level) level.expectsName = true;
      values += 1;
    }
    if (values > LIMITS.values) throw createRejection(`It holds more than ${LIMITS.values} values`);
  }
}

/** The closing quote of the text that opens at `from`. */
function findStringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  throw createRejection('It is not JSON');
}

/** Two values under one name: which of them counts, no two parsers agree on. */
function addName(level: Level, quoted: string): void {
  level.expectsName = false;
  if (quoted.length > LIMITS.keyLength)
    throw createRejection(`It holds a name of more than ${LIMITS.keyLength} characters`);
  // Whether it is written well, the parser finds out; here a name without escapes is as it stands.
  const name = quoted.includes('\\') ? String(parse(quoted)) : quoted.slice(1, -1);
  if (level.names?.has(name))
    throw createRejection(`The name ${JSON.stringify(name)} stands twice in one object`);
  level.names?.add(name);
}

/** Refuses what JSON can write but no list could give back, or what would reach beyond the object it stands in. */
function assertStorable(value: unknown): void {
  if (typeof value === 'string') assertText(value);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw createRejection('It holds a number that is too large');
  } else if (Array.isArray(value)) value.forEach(assertStorable);
  else if (typeof value === 'object' && value !== null)
    for (const [name, entry] of Object.entries(value)) {
      if (name === '__proto__') throw createRejection('The name "__proto__" is not allowed');
      assertText(name);
      assertStorable(entry);
    }
}

function assertText(text: string): void {
  if (text.includes('\0')) throw createRejection('It holds a text with a NUL character');
  if (!text.isWellFormed()) throw createRejection('It holds half of a character (a lone surrogate)');
}

function createRejection(message: string): Error {
  return createFieldRejection([{ field: '', message }]);
}
