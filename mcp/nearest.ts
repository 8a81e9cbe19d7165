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

/** Levenshtein's distance, in one row. */
function distance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0] ?? 0;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      const step = diagonal + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(step, above + 1, (row[j - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}
