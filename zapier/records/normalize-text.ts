/** Combining accents; other marks (Hindi, Thai, Japanese) change the word and stay. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Invisible characters of copied text, such as the marks of its direction; joiners (Persian, Hindi) change the word and stay. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff\p{Bidi_Control}]/gu;

/** Text for comparisons that ignore case, accents, letter width and extra spaces. */
export function normalizeText(text: unknown): string {
  if (typeof text !== 'string' && typeof text !== 'number') return '';
  const stripped = stripAccents(stripInvisible(String(text)));
  return stripped.replace(/\s+/g, ' ').trim().toUpperCase().toLowerCase();
}

export function stripAccents(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '');
}

/** JSON text for comparisons that ignore case and spaces: a service may trim a text and change its line breaks. */
export function toComparableJson(value: unknown): string {
  const collapse = (_: string, entry: unknown) =>
    typeof entry === 'string' ? entry.replace(/\s+/g, ' ').trim() : entry;
  return JSON.stringify(value, collapse).toLowerCase();
}

export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** E-mail address for comparisons that ignore case, but not accents. */
export function normalizeEmail(value: unknown): string {
  return typeof value === 'string' ? stripInvisible(value.normalize('NFKC')).trim().toLowerCase() : '';
}
