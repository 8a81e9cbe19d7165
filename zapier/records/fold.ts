/** Accents as signs of their own; other marks (of Hindi, Thai, Japanese) change the word and stay. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Signs that nobody sees and a copied text may hold. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/** A text for comparing: case, accents, the width of letters and blanks around and between words make no difference. */
export function fold(text: unknown): string {
  if (typeof text !== 'string' && typeof text !== 'number') return '';
  const plain = String(text).normalize('NFKD').replace(ACCENTS, '').replace(UNSEEN, '');
  return plain.replace(/\s+/g, ' ').trim().toUpperCase().toLowerCase();
}

/** An e-mail address for comparing: accents tell two apart, capital letters do not. */
export function plainEmail(value: unknown): string {
  return typeof value === 'string' ? value.normalize('NFKC').replace(UNSEEN, '').trim().toLowerCase() : '';
}
