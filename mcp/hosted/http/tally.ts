/** Amounts by key. A key whose amount returns to zero is forgotten. */
export function createTally() {
  const amounts = new Map<string, number>();
  const get = (key: string) => amounts.get(key) ?? 0;
  return {
    get,
    add(key: string, amount: number): void {
      const next = get(key) + amount;
      if (next > 0) amounts.set(key, next);
      else amounts.delete(key);
    },
  };
}
