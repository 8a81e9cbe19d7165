import type { ObjectKind } from '../profile/id-kinds.ts';
import type { CustomFields } from '../state/records.ts';
import { findRecord, listNewestFirst } from '../state/state.ts';

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

/** Lists stored records, newest first. */
export function createListResult<Stored>(
  records: ReadonlyMap<string, Stored>,
  view: (record: Stored) => ResourceView,
): ListResult {
  return { records: listNewestFirst(records), view: (record) => view(record as Stored) };
}

export function toListResult(list: ListResult | readonly ResourceView[]): ListResult {
  return 'records' in list ? list : { records: list, view: (record) => record as ResourceView };
}

/** @throws Rejection `unknownId` if there is no such record */
export function deleteRecord(
  records: Map<string, { readonly id: string }>,
  { id, object }: { id: string; object: ObjectKind },
): ResourceView {
  findRecord(records, id, object);
  records.delete(id);
  return { object, id };
}
