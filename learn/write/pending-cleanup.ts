/** Objects that have to be removed. */
export interface PendingCleanup {
  /** Paths of created objects below the base URL, oldest first. */
  readonly remainingPaths: readonly string[];
  /** Lists that may have a created object whose ID is unknown. */
  readonly unverifiedLists: readonly string[];
  /** Paths of objects that existed before: never removed, whatever their name is now. */
  readonly preexisting: readonly string[];
}
