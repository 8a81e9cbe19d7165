/** The result of a search in a list. If the list was read in part only, what was not found may still exist. */
export type SearchResult<Found> =
  | ({ readonly kind: 'found' } & Found)
  | { readonly kind: 'not-found' }
  | NotFullySearched;

export interface NotFullySearched {
  readonly kind: 'not-fully-searched';
  /** Why the list was not read to its end. */
  readonly reason: string;
  /** Entries that were searched. */
  readonly read: number;
}
