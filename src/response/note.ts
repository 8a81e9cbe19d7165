const notedResults = new WeakSet<object>();

/** Marks a result as made by this library where a write was answered without an object. */
export function markAsNoted<Result extends object>(result: Result): Result {
  notedResults.add(result);
  return result;
}

/**
 * What came in answer to a write in place of an object, in this library's own words: the `note` of its result.
 * Undefined where the service answered with an object, whose own `note` may be anybody's.
 */
export function getNote(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || !notedResults.has(result)) return undefined;
  return 'note' in result && typeof result.note === 'string' ? result.note : undefined;
}
