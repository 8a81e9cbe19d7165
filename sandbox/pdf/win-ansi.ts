/** Standard fonts have Latin letters only; other characters become question marks instead of an error. */
export function toWinAnsi(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}
