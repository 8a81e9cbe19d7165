/** A list of names, written as words with blanks between them. */
export function splitWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
