/** Formats a count with its noun: `1 call`, `2 calls`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
