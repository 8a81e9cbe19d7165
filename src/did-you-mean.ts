/** Shorter names resemble other real names: `ids` and `id`, `uri` and `url`. */
const MIN_LENGTH = 4;

/**
 * The known name of which `name` is a misspelling: the same letters in another style, or one typing error away. Strict
 * enough to reject input; {@link findClosestMatch} only suggests.
 */
export function findTypo(name: string, known: readonly string[]): string | undefined {
  // Much longer than any known name.
  if (name.length > 100) return undefined;
  const wanted = normalize(name);
  return known.find((one) => {
    if (one.length < MIN_LENGTH) return name.toLowerCase() === one.toLowerCase();
    return isOneTypo(wanted, normalize(one));
  });
}

/** `emailRequired`, `email-required` and `Email_Required` are one name. */
function normalize(name: string): string {
  return name.replace(/[\s._-]/g, '').toLowerCase();
}

/** True for equal names, and for one letter added, missing, wrong or swapped with the next. */
function isOneTypo(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const restA = a.slice(at);
  const restB = b.slice(at);
  if (restA === restB) return true;
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return isSwapped || restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
}

/** Returns the known word to suggest for a mistyped one; undefined if none is similar. */
export function findClosestMatch(word: string, known: readonly string[]): string | undefined {
  const toLetters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = toLetters(word.slice(0, 64));
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const name = toLetters(candidate);
    const part = wanted.length > 2 && (name.endsWith(wanted) || wanted.endsWith(name));
    const found = part ? 1 : distance(wanted, name);
    if (!best || found < best.distance) best = { word: candidate, distance: found };
  }
  return best && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.word : undefined;
}

/** The Levenshtein distance, computed row by row. */
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
