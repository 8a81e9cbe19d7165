import type { ListProfile } from '../../src/profile/service-profile.ts';
import type { ResourceView } from '../handlers/view.ts';
import { refuseQuery } from './learned-place.ts';
import { namesMeant } from './meaning.ts';

/** A list as the learned service would narrow and sort it by the query; it begins as it was seen to begin. */
export function narrowLearned(
  views: readonly ResourceView[],
  list: ListProfile,
  query: URLSearchParams,
): readonly ResourceView[] {
  let found = list.order === 'oldest' ? views.toReversed() : [...views];
  for (const [name, value] of query) {
    const does = heeded(list, name, value);
    if (does === 'refused') throw refuseQuery(name, 'is not taken by this list');
    if (does === 'narrows') found = found.filter((view) => holds(view, name, value));
    if (does === 'sorts') found = sortBy(found, value);
  }
  return found;
}

/** Parameters stand by `name` or by `name=value`. */
function heeded({ query }: ListProfile, name: string, value: string) {
  const of = (key: string) => (Object.hasOwn(query, key) ? query[key] : undefined);
  return of(`${name}=${value}`) ?? of(name);
}

/** By the field that the parameter is named after; where there is none, by any text of the entry. */
function holds(view: ResourceView, name: string, text: string): boolean {
  const wanted = text.toLowerCase();
  const [field] = namesMeant(name, Object.keys(view));
  const fields = field === undefined ? Object.values(view) : [view[field]];
  return fields.some(
    (value) =>
      ['string', 'number', 'boolean'].includes(typeof value) && String(value).toLowerCase().includes(wanted),
  );
}

/** `-created_at`, `created_at`, `desc`: whatever the words, the newest first where one of them says so. */
function sortBy(views: ResourceView[], by: string): ResourceView[] {
  const isDown = /^-|desc/i.test(by);
  const [view] = views;
  const [field = 'created_at'] = view
    ? namesMeant(by.replace(/^[-+]|[: ]?(?:asc|desc)$/gi, ''), Object.keys(view))
    : [];
  const rank = (one: ResourceView) =>
    typeof one[field] === 'number' ? one[field] : String(one[field] ?? '');
  const sorted = views.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  return isDown ? sorted.reverse() : sorted;
}
