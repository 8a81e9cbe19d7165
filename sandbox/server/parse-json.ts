import { createFieldRejection } from '../handlers/request-body.ts';

/** Bounds of a JSON body, far beyond any real request, so that lists stay small. */
const LIMITS = { depth: 32, values: 20_000, keyLength: 200, textLength: 100_000 } as const;

interface Level {
  /** Names seen so far in an object. */
  readonly names: Set<string> | null;
  expectsName: boolean;
}

/**
 * Parses a JSON body after checking the bounds on its text, before anything is built from it.
 *
 * @param allowLongTexts whether texts may be as long as the body, like an inline file
 * @throws Rejection `badBody` for invalid JSON, exceeded bounds, or values that can't be returned unchanged
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
    throw createRejection('It is not valid JSON');
  }
}

/** Checks the bounds in one pass over the text; the parser checks the syntax. */
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
        throw createRejection(`It contains a string of more than ${LIMITS.textLength} characters`);
      at = end;
    } else if (char === '{' || char === '[') {
      if (levels.length >= LIMITS.depth) throw createRejection(`It is nested deeper than ${LIMITS.depth} levels`);
      levels.push({ names: char === '{' ? new Set() : null, expectsName: true });
      values += 1;
    } else if (char === '}' || char === ']') levels.pop();
    else if (char === ',') {
      if (level) level.expectsName = true;
      values += 1;
    }
    if (values > LIMITS.values) throw createRejection(`It contains more than ${LIMITS.values} values`);
  }
}

/** Returns the closing quote of the text that opens at `from`. */
function findStringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  throw createRejection('It is not valid JSON');
}

/** Rejects duplicate names: parsers disagree about which one counts. */
function addName(level: Level, quoted: string): void {
  level.expectsName = false;
  if (quoted.length > LIMITS.keyLength)
    throw createRejection(`It contains a name of more than ${LIMITS.keyLength} characters`);
  // Names without escapes need no parsing.
  const name = quoted.includes('\\') ? String(parse(quoted)) : quoted.slice(1, -1);
  if (level.names?.has(name)) throw createRejection(`The name ${JSON.stringify(name)} occurs twice in an object`);
  level.names?.add(name);
}

/** Rejects what JSON allows but lists can't return, and names that reach into prototypes. */
function assertStorable(value: unknown): void {
  if (typeof value === 'string') assertText(value);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw createRejection('It contains a number that is too large');
  } else if (Array.isArray(value)) value.forEach(assertStorable);
  else if (typeof value === 'object' && value !== null)
    for (const [name, entry] of Object.entries(value)) {
      if (name === '__proto__') throw createRejection('The name "__proto__" is not allowed');
      assertText(name);
      assertStorable(entry);
    }
}

function assertText(text: string): void {
  if (text.includes('\0')) throw createRejection('It contains a NUL character');
  if (!text.isWellFormed()) throw createRejection('It contains a lone surrogate');
}

function createRejection(message: string): Error {
  return createFieldRejection([{ field: '', message }]);
}
