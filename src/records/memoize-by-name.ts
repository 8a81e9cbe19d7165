/** Names of a service's fields are few and short, unless it is hostile. */
const MAX_NAMES = 4000;
const MAX_LENGTH = 64;

/** Returns a function that computes a fact about each name once. */
export function memoizeByName<Fact>(compute: (name: string) => Fact): (name: string) => Fact {
  const facts = new Map<string, Fact>();
  return (name) => {
    const known = facts.get(name);
    if (known !== undefined) return known;
    const fact = compute(name);
    if (name.length <= MAX_LENGTH && facts.size < MAX_NAMES) facts.set(name, fact);
    return fact;
  };
}
