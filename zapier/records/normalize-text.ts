/** Accents as signs of their own; other marks (of Hindi, Thai, Japanese) change the word and stay. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Signs that nobody sees and a copied text may hold. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/** A text for comparing: case, accents, the width of letters and blanks around and between words make no difference. */
export function normalizeText(text: unknown): string {
  if (typeof text !== 'string' && typeof text !== 'number') return '';
  const stripped = String(text).normalize('NFKD').replace(ACCENTS, '').replace(INVISIBLE, '');
  return stripped.replace(/\s+/g, ' ').trim().toUpperCase().toLowerCase();
}

/** An e-mail address for comparing: accents tell two apart, capital letters do not. */
export function normalizeEmail(value: unknown): string {
  return typeof value === 'string' ? value.normalize('NFKC').replace(INVISIBLE, '').trim().toLowerCase() : '';
}
