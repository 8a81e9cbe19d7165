/** Control characters, and those that turn the direction of the text around them: a page itself has no use for them. */
const CONTROL_CHARS = /(?![\t\n\r])[\p{Cc}\p{Bidi_C}\ufeff]/gu;

/** Text as it may be shown: what a name holds can't reorder or hide what stands beside it. */
export function stripControlChars(text: string): string {
  return text.toWellFormed().replace(CONTROL_CHARS, '');
}
