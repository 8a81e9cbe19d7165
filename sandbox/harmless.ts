/** Control characters, and those that turn the direction of the text around them: a page itself has no use for them. */
const HARMFUL = /(?![\t\n\r])[\p{Cc}\p{Bidi_C}\ufeff]/gu;

/** Text as it may be shown: what a name holds can't reorder or hide what stands beside it. */
export function harmless(text: string): string {
  return text.toWellFormed().replace(HARMFUL, '');
}
