import { InputError, isObject, type JsonObject, parseJsonExact } from '../platform/core.ts';

const TOKEN =
  /[{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
/** Deeper than anything that a service takes, and less than what the stack holds. */
const MAX_DEPTH = 32;

/**
 * An object as JSON text, or the object itself where the platform or an earlier step gives it; empty for nothing.
 * @throws InputError by the field's name and the place where the text stops being JSON.
 */
export function readJsonObject(value: unknown, label: string): JsonObject {
  const refuse = (what: string) => new InputError(`The field "${label}" ${what}. Correct it in this step.`);
  if (isObject(value)) return value;
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return {};
  if (typeof value !== 'string') throw refuse('is no JSON object, such as {"name": "Deck"}');
  const broken = findJsonError(value);
  if (broken !== undefined) throw refuse(`is no JSON: it ${describeBreak(value, broken)}`);
  const read = parseJsonExact(value);
  if (!isObject(read)) throw refuse('is JSON, but no object in braces, such as {"name": "Deck"}');
  return read;
}

/** What is wrong at a place of a text, in a few words. */
export function describeBreak(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  const place = `at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
  if (text.slice(at).trim() === '') return `ends too early ${place}`;
  return `has "${text.slice(at, at + 12).split('\n')[0]}" ${place}`;
}

/** Where a text stops being JSON, or goes deeper than it may; undefined where it is JSON. */
export function findJsonError(text: string): number | undefined {
  const open: string[] = [];
  let awaits: 'value' | 'first' | 'name' | 'firstName' | 'colon' | 'next' = 'value';
  for (let at = skip(text, 0); at < text.length; at = skip(text, TOKEN.lastIndex)) {
    TOKEN.lastIndex = at;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return at;
    const after: string | undefined = awaits === 'next' ? open.at(-1) : undefined;
    if (awaits === 'value' || awaits === 'first') {
      if (token === ']' && awaits === 'first') open.pop();
      else if (token === '{' || token === '[') {
        if (open.push(token) > MAX_DEPTH) return at;
        awaits = token === '{' ? 'firstName' : 'first';
        continue;
      } else if (/^[\]},:]/.test(token)) return at;
      awaits = 'next';
    } else if (awaits === 'name' || awaits === 'firstName') {
      if (token === '}' && awaits === 'firstName') {
        open.pop();
        awaits = 'next';
      } else if (token.startsWith('"')) awaits = 'colon';
      else return at;
    } else if (awaits === 'colon') {
      if (token !== ':') return at;
      awaits = 'value';
    } else if (token === ',' && after !== undefined) awaits = after === '{' ? 'name' : 'value';
    else if (after !== undefined && token === (after === '{' ? '}' : ']')) open.pop();
    else return at;
  }
  return awaits === 'next' && open.length === 0 ? undefined : text.length;
}

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at += 1;
  return at;
}
