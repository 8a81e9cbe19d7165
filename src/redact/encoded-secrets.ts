/** Shorter secrets are often plain words, so they are redacted only in their literal form. */
const MIN_SECRET_LENGTH = 12;
/** At most half of this many characters identify a secret; the matching rest is redacted too. */
const MAX_MATCHED_LENGTH = 96;

/** A character code as escaped in a URL, JSON or code, HTML, or email. */
const ESCAPED_CHARACTER =
  /%(?:25){0,3}([\da-f]{2})|\\{1,8}(?:u00|x)([\da-f]{2})|&#x0{0,6}([\da-f]{2});|=([\da-f]{2})|&#0{0,6}(\d{1,3});/iy;
/** Text between two characters: line breaks (also as in JSON or email), or invisible characters. */
const SEPARATOR = /[\s\u00ad\u200b\u2060]+|\\{1,8}[nrt]|\\+|=\r?\n|<wbr\s?\/?>/y;
/** ASCII codes that may start a separator or an escape. */
const SPECIAL_CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\s\\=<%&]/.test(String.fromCharCode(code))),
);

/**
 * Redacts secrets in any encoding: upper case; escaped for URLs, JSON, HTML or email; hex; base64 within a
 * longer text; split over lines. The first half suffices, since responses may be cut off. Takes linear time
 * and builds no regular expression per secret, which would take a third of a megabyte of code each and slow
 * down every pattern of the process.
 */
export function createEncodedSecretRedactor(secrets: readonly string[]) {
  const needles = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH && /^[!-~]+$/.test(secret))
    .flatMap((secret) => getEncodings(secret).map(normalizeText))
    .filter(({ length }) => length >= MIN_SECRET_LENGTH);
  /** Shorter texts hold no secret. */
  const minLength = Math.min(...needles.map((needle) => getFirstHalf(needle).length));
  const redact = (text: string, redacted: string): string => {
    if (text.length < minLength) return text;
    const normalizedTexts = [
      normalizeSource(text, false),
      ...(/[%=\\&]/.test(text) ? [normalizeSource(text, true)] : []),
    ];
    const found = normalizedTexts.flatMap((normalized) => needles.flatMap((needle) => findRanges(normalized, needle)));
    let clean = '';
    let at = 0;
    for (const [start, end] of found.sort(([a], [b]) => a - b)) {
      if (start >= at) clean += text.slice(at, start) + redacted;
      at = Math.max(at, end);
    }
    return clean + text.slice(at);
  };
  return { redact, minLength };
}

function getFirstHalf(needle: string): string {
  const prefix = needle.slice(0, MAX_MATCHED_LENGTH);
  return prefix.slice(0, Math.max(MIN_SECRET_LENGTH, Math.ceil(prefix.length / 2)));
}

/** The secret itself, in hex, and in base64 at each alignment. */
function getEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), ...[0, 1, 2].map((offset) => getBase64Core(bytes, offset))];
}

/** The base64 characters that depend only on the secret, after `offset` other bytes. */
function getBase64Core(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** Lower case, with one character for each pair of base64 variants. */
function normalizeText(text: string): string {
  return [...text.replaceAll('\\', '')]
    .map((character) => String.fromCharCode(normalizeCharCode(character.charCodeAt(0))))
    .join('');
}

function normalizeCharCode(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code === 45 ? 43 : code === 95 ? 47 : code;
}

interface NormalizedText {
  /** Characters without separators, with the start and end of each in the source. */
  readonly characters: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function normalizeSource(text: string, decodesEscapes: boolean): NormalizedText {
  const codes = new Uint16Array(text.length);
  const [starts, ends] = [new Uint32Array(text.length), new Uint32Array(text.length)];
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const start = at;
    let code = text.charCodeAt(at);
    if (code === 32) {
      at += 1;
      continue;
    }
    if (SPECIAL_CHARACTERS[code] !== 0) {
      ESCAPED_CHARACTER.lastIndex = at;
      const escaped = decodesEscapes ? ESCAPED_CHARACTER.exec(text) : null;
      SEPARATOR.lastIndex = at;
      const separator = escaped ? null : SEPARATOR.exec(text)?.[0];
      at += (escaped?.[0] ?? separator ?? ' ').length;
      if (separator) continue;
      if (escaped) {
        const [, ...hex] = escaped;
        const decimal = hex.pop();
        code = decimal === undefined ? Number.parseInt(hex.join(''), 16) : Number(decimal);
      }
    } else at += 1;
    codes[count] = normalizeCharCode(code);
    starts[count] = start;
    ends[count] = at;
    count += 1;
  }
  return { characters: Buffer.from(codes.buffer, 0, count * 2).toString('utf16le'), starts, ends };
}

/** Finds the ranges of a secret, or of at least its first half. */
function findRanges({ characters, starts, ends }: NormalizedText, needle: string): [number, number][] {
  const firstHalf = getFirstHalf(needle);
  const ranges: [number, number][] = [];
  for (let at = characters.indexOf(firstHalf); at >= 0; at = characters.indexOf(firstHalf, at)) {
    const start = at;
    at += firstHalf.length;
    while (at - start < needle.length && characters[at] === needle[at - start]) at += 1;
    ranges.push([starts[start] ?? 0, ends[at - 1] ?? 0]);
  }
  return ranges;
}
