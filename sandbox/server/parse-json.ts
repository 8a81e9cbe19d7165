import { createFieldRejection } from '../handlers/request-body.ts';

/** Bounds of a JSON body, far beyond any real request, so that lists stay small. */
const LIMITS = { depth: 32, values: 20_000, keyLength: 200, textLength: 100_000 } as const;

/**
 * Parses a JSON body, whose length is bounded already.
 *
 * @param allowLongTexts whether texts may be as long as the body, like an inline file
 * @throws Rejection `badBody` for invalid JSON, exceeded bounds, or values that can't be returned unchanged
 */
export function parseBoundedJson(text: string, allowLongTexts = false): unknown {
  const value = parse(text);
  const counts = { values: 0 };
  assertStorable(value, { depth: 0, counts, maxTextLength: allowLongTexts ? text.length : LIMITS.textLength });
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createRejection('It is not valid JSON');
  }
}

interface Position {
  readonly depth: number;
  readonly maxTextLength: number;
  /** Number of values so far. */
  readonly counts: { values: number };
}

/** Checks the bounds. Rejects what JSON allows but lists can't return, and names that reach into prototypes. */
function assertStorable(value: unknown, { depth, maxTextLength, counts }: Position): void {
  if (typeof value === 'string') assertText(value, maxTextLength);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw createRejection('It contains a number that is too large');
  if (typeof value !== 'object' || value === null) return;
  if (depth >= LIMITS.depth) throw createRejection(`It is nested deeper than ${LIMITS.depth} levels`);
  for (const [name, entry] of Object.entries(value)) {
    counts.values += 1;
    if (counts.values > LIMITS.values) throw createRejection(`It contains more than ${LIMITS.values} values`);
    if (!Array.isArray(value)) {
      if (name === '__proto__') throw createRejection('The name "__proto__" is not allowed');
      assertText(name, LIMITS.keyLength);
    }
    assertStorable(entry, { depth: depth + 1, maxTextLength, counts });
  }
}

function assertText(text: string, maxLength: number): void {
  if (text.length > maxLength) throw createRejection(`It contains a string of more than ${maxLength} characters`);
  if (text.includes('\0')) throw createRejection('It contains a NUL character');
  if (!text.isWellFormed()) throw createRejection('It contains a lone surrogate');
}

function createRejection(message: string): Error {
  return createFieldRejection([{ field: '', message }]);
}
