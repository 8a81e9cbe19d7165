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
  let copied = 0;
  for (let quote = text.indexOf('"'); quote >= 0; ) {
    const found = readField(text, quote);
    if (found) {
      clean += `${text.slice(copied, found.from)}${found.escape}"${redacted}${found.escape}"`;
      copied = found.to;
    }
    quote = text.indexOf('"', found ? found.to : quote + 1);
  }
  return clean + text.slice(copied);
}

/** The value of the secret field whose name begins behind the quote at `quote`. */
function readField(text: string, quote: number): { from: number; to: number; escape: string } | undefined {
  let nameEnd = quote + 1;
  while (isNameSign(text.charCodeAt(nameEnd))) nameEnd += 1;
  const closing = behindBackslashes(text, nameEnd);
  if (text[closing] !== '"') return undefined;
  const colon = skip(SPACE, text, closing + 1);
  if (text[colon] !== ':' || !isSecretName(text.slice(quote + 1, nameEnd))) return undefined;
  const from = skip(SPACE, text, colon + 1);
  const open = behindBackslashes(text, from);
  if (text[open] === '"')
    return { from, to: endOfText(text, { open, escapes: open - from }), escape: text.slice(from, open) };
  const to = skip(NUMBER, text, from);
  return to > from ? { from, to, escape: '' } : undefined;
}

/**
 * Where a JSON text ends that `open` opens behind `escapes` backslashes: at the next quote that is not escaped once more
 * than the opening one; a text that was cut off ends with the whole.
 */
function endOfText(text: string, { open, escapes }: { open: number; escapes: number }): number {
  for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = 0;
    while (quote - before - 1 > open && text[quote - before - 1] === '\\') before += 1;
    if (Math.floor(before / (escapes + 1)) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Replaces the values of secret query parameters, wherever in a text they stand. */
export function redactQueries(text: string, redacted: string): string {
  let clean = '';
  let copied = 0;
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', equals + 1)) {
    let start = equals;
    while (start > copied && isNameSign(text.charCodeAt(start - 1))) start -= 1;
    // Behind a slash or a dot it is a part of a path or of a name.
    const begins = !/[/.]/.test(text.charAt(start - 1));
    if (!begins || !isSecretName(text.slice(start, equals))) continue;
    clean += `${text.slice(copied, equals + 1)}${redacted}`;
    copied = skip(VALUE, text, equals + 1);
    equals = Math.max(equals, copied - 1);
  }
  return clean + text.slice(copied);
}

/** A letter, a digit, `_` or `-`. */
function isNameSign(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

function behindBackslashes(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 92) at += 1;
  return at;
}

/** The place behind what `pattern` (sticky, never failing) matches at `from`. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  // A test makes no text of what it matched, and says where it ended.
  return pattern.test(text) ? pattern.lastIndex : from;
}
