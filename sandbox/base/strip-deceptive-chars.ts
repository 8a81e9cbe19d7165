/** Control characters and bidirectional overrides. */
const CONTROL_CHARS = /(?![\t\n\r])[\p{Cc}\p{Bidi_C}\ufeff]/gu;

/** Removes characters with which a name could reorder or hide the text around it. */
export function stripDeceptiveChars(text: string): string {
  return text.toWellFormed().replace(CONTROL_CHARS, '');
}
