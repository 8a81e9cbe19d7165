import { isSecretName } from '../assumptions/index.ts';

/* Hand-written scanners: regular expressions take quadratic time on text that almost matches. */

const SPACE = /\s*/y;
const NUMBER = /-?\d[\d.eE+-]*/y;
/** Value of a query parameter in running text. */
const VALUE = /[^&#\s"'<>]*/y;

/** Redacts the values of secret fields in JSON, also if it is cut off or escaped in another text. */
export function redactJsonFields(text: string, redacted: string): string {
  let clean = '';
  let copiedUntil = 0;
  for (let quote = text.indexOf('"'); quote >= 0; ) {
    const found = findSecretField(text, quote);
    if (found) {
      clean += `${text.slice(copiedUntil, found.from)}${found.escape}"${redacted}${found.escape}"`;
      copiedUntil = found.to;
    }
    quote = text.indexOf('"', found ? found.to : quote + 1);
  }
  return clean + text.slice(copiedUntil);
}

/** Finds the value of the secret field whose name starts after `quote`. */
function findSecretField(text: string, quote: number): { from: number; to: number; escape: string } | undefined {
  let nameEnd = quote + 1;
  while (isNameCharacter(text.charCodeAt(nameEnd))) nameEnd += 1;
  const closing = skipBackslashes(text, nameEnd);
  if (text[closing] !== '"') return undefined;
  const colon = skipPattern(SPACE, text, closing + 1);
  if (text[colon] !== ':' || !isSecretName(text.slice(quote + 1, nameEnd))) return undefined;
  const from = skipPattern(SPACE, text, colon + 1);
  const open = skipBackslashes(text, from);
  if (text[open] === '"')
    return { from, to: findStringEnd(text, { open, escapes: open - from }), escape: text.slice(from, open) };
  const to = skipPattern(NUMBER, text, from);
  return to > from ? { from, to, escape: '' } : undefined;
}

/**
 * Returns the end of a JSON string whose opening quote is escaped `escapes` times: the next quote with the
 * same escaping, or the end of a text that was cut off.
 */
function findStringEnd(text: string, { open, escapes }: { open: number; escapes: number }): number {
  for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = 0;
    while (quote - before - 1 > open && text[quote - before - 1] === '\\') before += 1;
    if (Math.floor(before / (escapes + 1)) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Redacts the values of secret query parameters anywhere in a text. */
export function redactQueryParams(text: string, redacted: string): string {
  let clean = '';
  let copiedUntil = 0;
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', equals + 1)) {
    let start = equals;
    while (start > copiedUntil && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
    // After a slash or dot it is part of a path or name.
    const begins = !/[/.]/.test(text.charAt(start - 1));
    if (!begins || !isSecretName(text.slice(start, equals))) continue;
    clean += `${text.slice(copiedUntil, equals + 1)}${redacted}`;
    copiedUntil = skipPattern(VALUE, text, equals + 1);
    equals = Math.max(equals, copiedUntil - 1);
  }
  return clean + text.slice(copiedUntil);
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

function skipBackslashes(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 92) at += 1;
  return at;
}

/** Returns the position after the match of a sticky pattern at `from`. */
function skipPattern(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  // `test` is faster than `exec`: it creates no text.
  return pattern.test(text) ? pattern.lastIndex : from;
}
