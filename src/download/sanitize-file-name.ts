/** Maximum length of a file name on common systems, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;

const MAX_INPUT_LENGTH = 4096;

/** Control, direction and invisible characters and line breaks; joiners stay because emoji need them. */
const INVISIBLE_CHARACTERS =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** Device names on Windows, with any extension. */
const WINDOWS_DEVICE_NAME =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;

/**
 * Makes a foreign name safe as a file name on any system: its last segment, at most 255 bytes, without hidden
 * characters, device names, or leading and trailing dots and spaces. The extension is kept.
 * @returns undefined if nothing is left.
 */
export function sanitizeFileName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const segment = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const bounded = segment.length > MAX_INPUT_LENGTH ? segment.slice(0, 2048) + segment.slice(-64) : segment;
  const sanitized = trimDotsAndSpaces(
    bounded
      .toWellFormed()
      .replace(INVISIBLE_CHARACTERS, '')
      .replace(/[<>:"|?*]/g, '_')
      .normalize('NFC'),
  );
  if (sanitized === '') return undefined;
  return truncateName(WINDOWS_DEVICE_NAME.test(sanitized) ? `_${sanitized}` : sanitized);
}

/** Returns whether a name means the same file on every system: on Windows, `a.md:b.pdf` is a part of `a.md`. */
export function isPortableName(name: string): boolean {
  return sanitizeFileName(name) === name.normalize('NFC');
}

/** A regular expression for the end of a text would take quadratic time. */
function trimDotsAndSpaces(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && /[.\s]/.test(text[from] ?? '')) from++;
  while (to > from && /[.\s]/.test(text[to - 1] ?? '')) to--;
  return text.slice(from, to);
}

function truncateName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const extension = name.match(/\.[\p{L}\p{N}_-]{1,16}$/u)?.[0] ?? '';
  const maxStemBytes = MAX_NAME_BYTES - Buffer.byteLength(extension);
  const stem = name.slice(0, name.length - extension.length);
  // A grapheme may be longer than a name; then its code points are cut.
  const truncatedStem = takeWithinBytes(splitGraphemes(stem), maxStemBytes) || takeWithinBytes(stem, maxStemBytes);
  return `${trimDotsAndSpaces(truncatedStem)}${extension}`;
}

function* splitGraphemes(text: string): Generator<string> {
  for (const { segment } of new Intl.Segmenter().segment(text)) yield segment;
}

function takeWithinBytes(parts: Iterable<string>, maxBytes: number): string {
  let result = '';
  let bytes = 0;
  for (const part of parts) {
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes) break;
    result += part;
  }
  return result;
}
