/** What has to be removed: paths of what was made, and lists in which something may stand that nobody has an id of. */
export interface PendingCleanup {
  readonly remainingPaths: readonly string[];
  readonly unverifiedLists: readonly string[];
  /** Paths of what an answer named and was there before: never removed, whatever name it bears by now. */
  readonly preexisting: readonly string[];
}
