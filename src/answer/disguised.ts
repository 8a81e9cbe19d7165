/** Shorter ones are words as often as secrets: those are found as they are written only. */
const SHORTEST = 12;
/** So much of a secret tells it; what stands behind goes with it. */
const MOST_SIGNS = 96;
/** By so many signs it is seen whether one may begin. */
const TOLD_BY = 6;

/** What may stand between two signs: a break of lines (as such, in JSON, in an e-mail), or what nobody sees. */
const GAP = String.raw`(?:[\s\u00ad\u200b\u2060]|\\{1,8}[nrt]|=\r?\n|<wbr\s?/?>)*`;

/**
 * Takes a secret out of a text however its signs are written: in capitals, by their numbers in addresses, JSON, HTML or an e-mail,
 * in hex, in base64 within a longer text, spread over lines; undefined where it is too short to be told.
 * At least the first half has to be there, as it is where an answer was cut off. Every part is bounded, so that the search takes
 * linear time.
 */
export function disguised(secret: string): ((text: string, redacted: string) => string) | undefined {
  if (secret.length < SHORTEST || !/^[!-~]+$/.test(secret)) return undefined;
  let begins: RegExp | undefined;
  let whole: RegExp | undefined;
  return (text, redacted) => {
    if (text.length < SHORTEST) return text;
    // The whole pattern takes milliseconds to be made: most texts hold nothing that begins like it.
    begins ??= new RegExp(formsOf(secret.slice(0, TOLD_BY)).map(inARow).join('|'), 'i');
    if (!begins.test(text)) return text;
    whole ??= new RegExp(formsOf(secret).map(cutOff).join('|'), 'gi');
    return text.replace(whole, redacted);
  };
}

function formsOf(secret: string): string[][] {
  const bytes = Buffer.from(secret);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return [[...secret].map(sign), hex, ...[0, 1, 2].map((offset) => base64Signs(bytes, offset))];
}

function inARow(signs: readonly string[]): string {
  return signs.join(GAP);
}

/** A form that may end behind its first half. */
function cutOff(signs: readonly string[]): string {
  const told = signs.slice(0, MOST_SIGNS);
  const needed = Math.max(SHORTEST, Math.ceil(told.length / 2));
  const more = told.slice(needed).reduceRight((inner, one) => `(?:${GAP}${one}${inner})?`, '');
  return `${inARow(told.slice(0, needed))}${more}${signs.length > MOST_SIGNS ? '[\\w.~+/=%-]*' : ''}`;
}

function sign(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const plain = character.replace(/[^\w]/, '\\$&');
  // The sign itself comes last: a `u` or an `=` may begin the number of one.
  return String.raw`(?:%(?:25){0,3}${hex}|=${hex}|\\{1,8}(?:u00|x)${hex}|&#0{0,6}${code};|&#x0{0,6}${hex};|\\{0,8}${plain})`;
}

/** The signs of base64 that a secret alone decides, where it begins behind so many bytes of something else. */
function base64Signs(bytes: Buffer, offset: number): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const own = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  const either: Readonly<Record<string, string>> = { '+': '(?:[+-]|%2b)', '/': '(?:[/_]|%2f)' };
  return [...own].map((one) => either[one] ?? one);
}
