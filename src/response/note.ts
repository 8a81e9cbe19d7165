const notedResults = new WeakSet<object>();

/** Marks a result that this library created for a write without an object in the response. */
export function markAsLibraryResult<Result extends object>(result: Result): Result {
  notedResults.add(result);
  return result;
}

/** Returns the `note` of such a result; undefined for an object from the service, with any `note`. */
export function getNote(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || !notedResults.has(result)) return undefined;
  return 'note' in result && typeof result.note === 'string' ? result.note : undefined;
}
