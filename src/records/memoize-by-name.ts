/** Names of a service's fields are few, unless it is hostile. */
const MAX_NAMES = 1000;

/** Returns a function that computes a fact about each name once. */
export function memoizeByName<Fact>(compute: (name: string) => Fact): (name: string) => Fact {
  const facts = new Map<string, Fact>();
  return (name) => {
    const known = facts.get(name);
    if (known !== undefined) return known;
    if (facts.size >= MAX_NAMES) facts.clear();
    const fact = compute(name);
    facts.set(name, fact);
    return fact;
  };
}
