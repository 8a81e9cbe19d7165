import { isSecretName } from '../assumptions/index.ts';

/*
 * Scanners by hand instead of regular expressions: over foreign text, one expression that holds the name, the escapes
 * and the value takes quadratic time on text that almost fits. Each of these looks at every character a few times.
 */

const SPACE = /\s*/y;
const NUMBER = /-?\d[\d.eE+-]*/y;
/** What ends the value of a query parameter in running text. */
const VALUE = /[^&#\s"'<>]*/y;

/** Replaces the values of secret fields in JSON, also in JSON that was cut off or stands escaped in another text. */
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

/** The value of the secret field whose name begins behind the quote at `quote`. */
function findSecretField(
  text: string,
  quote: number,
): { from: number; to: number; escape: string } | undefined {
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
 * Where a JSON text ends that `open` opens behind `escapes` backslashes: at the next quote that is not escaped once more
 * than the opening one; a text that was cut off ends with the whole.
 */
function findStringEnd(text: string, { open, escapes }: { open: number; escapes: number }): number {
  for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = 0;
    while (quote - before - 1 > open && text[quote - before - 1] === '\\') before += 1;
    if (Math.floor(before / (escapes + 1)) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Replaces the values of secret query parameters, wherever in a text they stand. */
export function redactQueryParams(text: string, redacted: string): string {
  let clean = '';
  let copiedUntil = 0;
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', equals + 1)) {
    let start = equals;
    while (start > copiedUntil && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
    // Behind a slash or a dot it is a part of a path or of a name.
    const begins = !/[/.]/.test(text.charAt(start - 1));
    if (!begins || !isSecretName(text.slice(start, equals))) continue;
    clean += `${text.slice(copiedUntil, equals + 1)}${redacted}`;
    copiedUntil = skipPattern(VALUE, text, equals + 1);
    equals = Math.max(equals, copiedUntil - 1);
  }
  return clean + text.slice(copiedUntil);
}

/** A letter, a digit, `_` or `-`. */
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

/** The place behind what `pattern` (sticky, never failing) matches at `from`. */
function skipPattern(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  // A test makes no text of what it matched, and says where it ended.
  return pattern.test(text) ? pattern.lastIndex : from;
}
