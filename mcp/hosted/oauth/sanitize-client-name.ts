const MAX_NAME_LENGTH = 60;

/**
 * Reduces an untrusted name to one line, without characters that reorder, hide or stack letters, so that it
 * can't imitate the page around it. Returns undefined if nothing is left.
 */
export function sanitizeClientName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name
    .slice(0, 1000)
    .normalize('NFKC')
    // Control, format (bidi, invisible), surrogate and private-use characters.
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    // A few combining marks are normal, stacks of them are not.
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
