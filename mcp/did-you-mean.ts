/** Returns the candidate that a misspelled word most likely means; undefined if none is close. */
export function findClosestMatch(word: string, candidates: readonly string[]): string | undefined {
  const normalize = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const normalizedWord = normalize(word.slice(0, 64));
  let best: { word: string; score: number } | undefined;
  for (const candidate of candidates) {
    const name = normalize(candidate);
    const isPartial =
      normalizedWord.length > 2 && (name.endsWith(normalizedWord) || normalizedWord.endsWith(name));
    const candidateDistance = isPartial ? 1 : levenshteinDistance(normalizedWord, name);
    if (!best || candidateDistance < best.score) best = { word: candidate, score: candidateDistance };
  }
  return best && best.score <= Math.max(1, Math.floor(normalizedWord.length / 3)) ? best.word : undefined;
}

function levenshteinDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const character of a) {
    const [firstCell = 0, ...previousRow] = row;
    let diagonal = firstCell;
    let left = firstCell + 1;
    const rest = previousRow.map((previousCell, column) => {
      left = Math.min(diagonal + (character === b[column] ? 0 : 1), previousCell + 1, left + 1);
      diagonal = previousCell;
      return left;
    });
    row = [firstCell + 1, ...rest];
  }
  return row.at(-1) ?? 0;
}
