import type { CustomFields } from '../state/records.ts';

/** A stored object before the profile shapes it. `object` is its type. */
export interface ResourceView {
  readonly object: string;
  readonly custom?: CustomFields;
  readonly [field: string]: unknown;
}

/** A list whose records become views only for the requested page: some lists have thousands. */
export interface ListResult {
  readonly records: readonly unknown[];
  readonly view: (record: unknown) => ResourceView;
}

export function createListResult<Stored>(
  records: readonly Stored[],
  view: (record: Stored) => ResourceView,
): ListResult {
  return { records, view: (record) => view(record as Stored) };
}

export function toListResult(list: ListResult | readonly ResourceView[]): ListResult {
  return 'records' in list ? list : { records: list, view: (record) => record as ResourceView };
}
