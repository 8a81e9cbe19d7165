import type { ListProfile } from '../../src/profile/service-profile.ts';
import { type ListResult, type ResourceView, toListResult } from '../handlers/view.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { findSynonyms } from '../service-profile/synonyms.ts';
import { createQueryRejection } from './list-response.ts';

/** The order of a list, and the effects of its parameters by `name` or `name=value`. */
type QueryRules = Pick<ListProfile, 'order' | 'query'>;

const FILTERS = { name: 'narrows', email: 'narrows', q: 'narrows', search: 'narrows' } as const;
const SORTS = Object.fromEntries(
  ['created_at', '-created_at', 'updated_at', '-updated_at'].map((field) => [`sort=${field}`, 'sorts'] as const),
);

/** Returns the rules of the profile's switches (§4 specifies neither order nor parameters). */
export function getQueryRules({ order, listFilters }: SandboxProfile): QueryRules {
  if (listFilters === 'none') return { order, query: {} };
  return { order, query: listFilters === 'filters' ? FILTERS : { ...FILTERS, ...SORTS } };
}

/** Filters and sorts a list before paging. Without such a parameter, its records are not turned into views. */
export function filterList(
  { records, view }: ListResult,
  query: URLSearchParams,
  { order, query: rules }: QueryRules,
): ListResult {
  const getEffect = (key: string) => (Object.hasOwn(rules, key) ? rules[key] : undefined);
  let found: readonly ResourceView[] | undefined;
  const ordered = order === 'oldest' ? records.toReversed() : records;
  for (const [name, value] of query) {
    const effect = getEffect(`${name}=${value}`) ?? getEffect(name);
    if (effect === 'refused') throw createQueryRejection(name, 'is not supported by this list');
    if (effect === 'narrows') found = (found ?? ordered.map(view)).filter((entry) => matches(entry, name, value));
    if (effect === 'sorts') found = sortByTime(found ?? ordered.map(view), value);
  }
  return found ? toListResult(found) : { records: ordered, view };
}

/** Compares the field named like the parameter; without one, any field. */
function matches(view: ResourceView, name: string, text: string): boolean {
  const [field] = findSynonyms(name, Object.keys(view));
  const values = field === undefined ? Object.values(view) : [view[field]];
  return values.some((value) => typeof value !== 'object' && String(value).toLowerCase().includes(text.toLowerCase()));
}

/** Newest first for `-created_at` and `desc`, whatever the field names. */
function sortByTime(views: readonly ResourceView[], by: string): readonly ResourceView[] {
  const sign = /^-|desc/i.test(by) ? -1 : 1;
  const field = by.endsWith('updated_at') ? 'updated_at' : 'created_at';
  return views.toSorted((a, b) => sign * (Number(a[field]) - Number(b[field])));
}
