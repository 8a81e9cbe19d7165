/** Shorter ones are words as often as secrets: those are found as they are written only. */
const MIN_SECRET_LENGTH = 12;
/** By half of so many signs at most a secret is told; whatever follows of it goes with them. */
const MAX_MATCHED_LENGTH = 96;

/** A sign by its number: in an address, JSON or a program, HTML, an e-mail. */
const NUMBERED =
  /%(?:25){0,3}([\da-f]{2})|\\{1,8}(?:u00|x)([\da-f]{2})|&#x0{0,6}([\da-f]{2});|=([\da-f]{2})|&#0{0,6}(\d{1,3});/iy;
/** What may stand between two signs: a break of lines (as such, in JSON, in an e-mail), or what nobody sees. */
const GAP = /[\s\u00ad\u200b\u2060]+|\\{1,8}[nrt]|\\+|=\r?\n|<wbr\s?\/?>/y;
/** The signs of ASCII that a gap or a number may begin with, by their codes. */
const SPECIAL = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\s\\=<%&]/.test(String.fromCharCode(code))),
);

/**
 * Takes secrets out of a text however their signs are written: in capitals, by their numbers in addresses, JSON, HTML or an
 * e-mail, in hex, in base64 within a longer text, spread over lines; one that is too short to be told stays. At least the first
 * half has to be there, as it is where an answer was cut off. In linear time, and by no pattern made for one secret: those take
 * a third of a megabyte of code each, and past some of them the engine translates every pattern of its process badly.
 */
export function disguised(secrets: readonly string[]): (text: string, redacted: string) => string {
  const needles = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH && /^[!-~]+$/.test(secret))
    .flatMap((secret) => getEncodings(secret).map(plainly))
    .filter(({ length }) => length >= MIN_SECRET_LENGTH);
  return (text, redacted) => {
    if (needles.length === 0 || text.length < MIN_SECRET_LENGTH) return text;
    const views = [read(text, false), ...(/[%=\\&]/.test(text) ? [read(text, true)] : [])];
    const found = views.flatMap((view) => needles.flatMap((needle) => findRanges(view, needle)));
    let clean = '';
    let at = 0;
    for (const [start, end] of found.sort(([a], [b]) => a - b)) {
      if (start >= at) clean += text.slice(at, start) + redacted;
      at = Math.max(at, end);
    }
    return clean + text.slice(at);
  };
}

/** The secret itself, in hex, and in base64 behind something else of any length. */
function getEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), ...[0, 1, 2].map((offset) => base64Signs(bytes, offset))];
}

/** The signs of base64 that a secret alone decides, where it begins behind so many bytes of something else. */
function base64Signs(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** In small letters and with one sign for each of two of base64, as a view has it. */
function plainly(text: string): string {
  return [...text.replaceAll('\\', '')]
    .map((sign) => String.fromCharCode(plain(sign.charCodeAt(0))))
    .join('');
}

function plain(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code === 45 ? 43 : code === 95 ? 47 : code;
}

interface View {
  /** The signs of a text without gaps. */
  readonly signs: string;
  /** Where each began in the text, and ended. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function read(text: string, byNumber: boolean): View {
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
    if (SPECIAL[code] !== 0) {
      NUMBERED.lastIndex = at;
      const numbered = byNumber ? NUMBERED.exec(text) : null;
      GAP.lastIndex = at;
      const separator = numbered ? null : GAP.exec(text)?.[0];
      at += (numbered?.[0] ?? separator ?? ' ').length;
      if (separator) continue;
      if (numbered) {
        const [, ...hex] = numbered;
        const decimal = hex.pop();
        code = decimal === undefined ? Number.parseInt(hex.join(''), 16) : Number(decimal);
      }
    } else at += 1;
    codes[count] = plain(code);
    starts[count] = start;
    ends[count] = at;
    count += 1;
  }
  return { signs: Buffer.from(codes.buffer, 0, count * 2).toString('utf16le'), starts, ends };
}

/** Where a secret, or its first half at least, stands in the text of a view. */
function findRanges({ signs, starts, ends }: View, needle: string): [number, number][] {
  const told = needle.slice(0, MAX_MATCHED_LENGTH);
  const first = told.slice(0, Math.max(MIN_SECRET_LENGTH, Math.ceil(told.length / 2)));
  const ranges: [number, number][] = [];
  for (let at = signs.indexOf(first); at >= 0; at = signs.indexOf(first, at)) {
    const start = at;
    at += first.length;
    while (at - start < needle.length && signs[at] === needle[at - start]) at += 1;
    ranges.push([starts[start] ?? 0, ends[at - 1] ?? 0]);
  }
  return ranges;
}
