/** The known word that a mistyped one most likely means; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(word.slice(0, 64));
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const name = plain(candidate);
    const part = wanted.length > 2 && (name.endsWith(wanted) || wanted.endsWith(name));
    const found = part ? 1 : distance(wanted, name);
    if (!best || found < best.distance) best = { word: candidate, distance: found };
  }
  return best && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.word : undefined;
}

/** Levenshtein's distance, row by row. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const letter of a) {
    const [corner = 0, ...aboves] = row;
    let diagonal = corner;
    let left = corner + 1;
    const rest = aboves.map((above, at) => {
      left = Math.min(diagonal + (letter === b[at] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      return left;
    });
    row = [corner + 1, ...rest];
  }
  return row.at(-1) ?? 0;
}
