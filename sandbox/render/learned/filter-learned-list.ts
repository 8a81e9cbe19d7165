import type { ListProfile } from '../../../src/profile/service-profile.ts';
import type { ResourceView } from '../../handlers/view.ts';
import { namesMeant } from '../../service-profile/synonyms.ts';
import { refuseQuery } from '../list-response.ts';

/** Filters and sorts a list as the learned service does. */
export function filterLearnedList(
  views: readonly ResourceView[],
  { order, query: serviceProfile }: ListProfile,
  query: URLSearchParams,
): readonly ResourceView[] {
  // Parameters are learned as `name` or `name=value`.
  const getEffect = (key: string) => (Object.hasOwn(serviceProfile, key) ? serviceProfile[key] : undefined);
  let found = order === 'oldest' ? views.toReversed() : views;
  for (const [name, value] of query) {
    const effect = getEffect(`${name}=${value}`) ?? getEffect(name);
    if (effect === 'refused') throw refuseQuery(name, 'is not supported by this list');
    if (effect === 'narrows') found = found.filter((view) => matches(view, name, value));
    if (effect === 'sorts') found = sortByCreation(found, value);
  }
  return found;
}

/** Compares the field named like the parameter; without one, any field. */
function matches(view: ResourceView, name: string, text: string): boolean {
  const [field] = namesMeant(name, Object.keys(view));
  const values = field === undefined ? Object.values(view) : [view[field]];
  return values.some((value) => typeof value !== 'object' && String(value).toLowerCase().includes(text.toLowerCase()));
}

/** Newest first for `-created_at` and `desc`, whatever the field names. */
function sortByCreation(views: readonly ResourceView[], by: string): readonly ResourceView[] {
  const sign = /^-|desc/i.test(by) ? -1 : 1;
  return views.toSorted((a, b) => sign * (Number(a['created_at']) - Number(b['created_at'])));
}
