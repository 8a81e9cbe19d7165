/** Combining accents; other marks (Hindi, Thai, Japanese) change the word and stay. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Invisible characters of copied text. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/** Text for comparisons that ignore case, accents, letter width and extra spaces. */
export function normalizeText(text: unknown): string {
  if (typeof text !== 'string' && typeof text !== 'number') return '';
  const stripped = String(text).normalize('NFKD').replace(ACCENTS, '').replace(INVISIBLE, '');
  return stripped.replace(/\s+/g, ' ').trim().toUpperCase().toLowerCase();
}

/** E-mail address for comparisons that ignore case, but not accents. */
export function normalizeEmail(value: unknown): string {
  return typeof value === 'string' ? value.normalize('NFKC').replace(INVISIBLE, '').trim().toLowerCase() : '';
}
