/** The standard fonts know Latin letters only; any other becomes a question mark instead of an error. */
export function toWinAnsi(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}
