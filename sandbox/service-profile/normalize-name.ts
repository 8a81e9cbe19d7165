/** Normalizes a name for comparison: `NextCursor`, `next_cursor` and `next-cursor` are equal. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}

export function toNameSet(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(normalizeName));
}
