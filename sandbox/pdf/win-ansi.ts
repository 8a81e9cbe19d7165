/** Replaces characters other than Latin letters by question marks, because the standard fonts lack them. */
export function toWinAnsi(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}
