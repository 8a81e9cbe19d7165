/** Shorter names have valid neighbors: `ids` and `id`, `uri` and `url`. */
const MIN_FUZZY_LENGTH = 4;

/** Returns the known name that `name` most likely means: another spelling, or one typo away. */
export function suggestName(name: string, candidates: readonly string[]): string | undefined {
  // Longer than any known name.
  if (name.length > 100) return undefined;
  const normalized = normalizeName(name);
  return candidates.find((one) => {
    if (one.length < MIN_FUZZY_LENGTH) return name.toLowerCase() === one.toLowerCase();
    return isOneTypoApart(normalized, normalizeName(one));
  });
}

/** Treats `emailRequired`, `email-required` and `Email_Required` as one name. */
function normalizeName(name: string): string {
  return name.replace(/[\s._-]/g, '').toLowerCase();
}

/** Equal, or one letter added, missing, replaced, or swapped with the next. */
function isOneTypoApart(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const restA = a.slice(at);
  const restB = b.slice(at);
  if (restA === restB) return true;
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return (
    isSwapped || restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
  );
}
