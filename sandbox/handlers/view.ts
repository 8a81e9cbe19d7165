import type { Custom } from '../state/records.ts';

/** A stored object as the service shows it, before the profile gives it its form. `object` names its kind. */
export interface ResourceView {
  readonly object: string;
  readonly custom?: Custom;
  readonly [field: string]: unknown;
}

/** A list of which only the page that is asked for has to be made into views: some hold thousands. */
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

/** The same of views that are there already. */
export function toListResult(list: ListResult | readonly ResourceView[]): ListResult {
  return 'records' in list ? list : { records: list, view: (record) => record as ResourceView };
}
