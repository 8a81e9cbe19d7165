import { InputError, isObject, type JsonObject, parseJsonExact } from '../platform/client-core.ts';

const TOKEN =
  /[{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const MAX_DEPTH = 32;

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

/** Index of the first error or of too deep nesting; undefined for valid JSON. */
export function findJsonError(text: string): number | undefined {
  const openBrackets: string[] = [];
  let expected: 'value' | 'first' | 'name' | 'firstName' | 'colon' | 'next' = 'value';
  for (let index = skipWhitespace(text, 0); index < text.length; index = skipWhitespace(text, TOKEN.lastIndex)) {
    TOKEN.lastIndex = index;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return index;
    const openBracket: string | undefined = expected === 'next' ? openBrackets.at(-1) : undefined;
    if (expected === 'value' || expected === 'first') {
      if (token === ']' && expected === 'first') openBrackets.pop();
      else if (token === '{' || token === '[') {
        if (openBrackets.push(token) > MAX_DEPTH) return index;
        expected = token === '{' ? 'firstName' : 'first';
        continue;
      } else if (/^[\]},:]/.test(token)) return index;
      expected = 'next';
    } else if (expected === 'name' || expected === 'firstName') {
      if (token === '}' && expected === 'firstName') {
        openBrackets.pop();
        expected = 'next';
      } else if (token.startsWith('"')) expected = 'colon';
      else return index;
    } else if (expected === 'colon') {
      if (token !== ':') return index;
      expected = 'value';
    } else if (token === ',' && openBracket !== undefined) expected = openBracket === '{' ? 'name' : 'value';
    else if (openBracket !== undefined && token === (openBracket === '{' ? '}' : ']')) openBrackets.pop();
    else return index;
  }
  return expected === 'next' && openBrackets.length === 0 ? undefined : text.length;
}

function skipWhitespace(text: string, from: number): number {
  let index = from;
  while (index < text.length && ' \t\r\n'.includes(text[index] ?? '')) index += 1;
  return index;
}
