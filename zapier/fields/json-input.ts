import { InputError, isObject, type JsonObject, parseJsonExact } from '../platform/client-core.ts';

/** Parses an object or its JSON text; {} if empty. @throws InputError with the position of the error. */
export function parseJsonObject(value: unknown, label: string): JsonObject {
  const inputError = (problem: string) => new InputError(`The field "${label}" ${problem}. Correct it in this step.`);
  if (isObject(value)) return value;
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return {};
  if (typeof value !== 'string') throw inputError('is not a JSON object, such as {"name": "Deck"}');
  const errorIndex = findJsonError(value);
  if (errorIndex !== undefined) throw inputError(`is not valid JSON: it ${describeJsonError(value, errorIndex)}`);
  const parsed = parseJsonExact(value);
  if (!isObject(parsed)) throw inputError('needs a JSON object in braces, such as {"name": "Deck"}');
  return parsed;
}

export function describeJsonError(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n');
  const position = `at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
  if (text.slice(index).trim() === '') return `ends too early ${position}`;
  return `has "${text.slice(index, index + 12).split('\n')[0]}" ${position}`;
}

/** Index of the first error; undefined for valid JSON. */
export function findJsonError(text: string): number | undefined {
  const message = getParseError(text);
  if (message === undefined) return undefined;
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  if (!isTokenError(message)) return text.length;
  // V8 gives no position for a token: the shortest beginning with such an error ends with it.
  let [start, end] = [0, text.length];
  while (start < end - 1) {
    const middle = Math.floor((start + end) / 2);
    if (isTokenError(getParseError(text.slice(0, middle)))) end = middle;
    else start = middle;
  }
  return end - 1;
}

function getParseError(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function isTokenError(message: string | undefined): boolean {
  return message?.includes('Unexpected token') ?? false;
}
