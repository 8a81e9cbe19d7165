/** Splits a text at white space. */
export function splitWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
