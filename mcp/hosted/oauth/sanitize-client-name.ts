const MAX_NAME_LENGTH = 60;

/**
 * A name that somebody gave himself, on one line: without what turns, hides or stacks letters, so that it can't pass for
 * words of the page around it. Undefined where nothing is left.
 */
export function sanitizeClientName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name
    .slice(0, 1000)
    .normalize('NFKC')
    // Controls, formats (they turn the direction of writing, or show nothing), lone surrogates, private letters.
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    // One mark on a letter is writing, a stack of them is noise.
    .replace(/(\p{M})\p{M}{2,}/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...plain];
  const short =
    letters.length > MAX_NAME_LENGTH
      ? `${letters
          .slice(0, MAX_NAME_LENGTH - 1)
          .join('')
          .trimEnd()}…`
      : plain;
  return short === '' ? undefined : short;
}
