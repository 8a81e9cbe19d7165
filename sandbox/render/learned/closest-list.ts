import { getListProfiles } from '../../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import { findMostFrequent } from '../../service-profile/find-most-frequent.ts';
import { normalizeName } from '../../service-profile/normalize-name.ts';
import { findClosestPagingSettings, type LearnedList } from './closest-paging.ts';
import type { Closest } from './closest-settings.ts';

/** Returns the settings that match the learned lists (§4). */
export function findClosestListSettings(serviceProfile: ServiceProfile): Closest {
  const lists = getListProfiles(serviceProfile);
  if (lists.length === 0) return {};
  const size = (limit: 'default' | 'max') => findMostFrequent(lists.map(({ list }) => list.size[limit]?.toString()));
  return {
    envelope: findMostFrequent(lists.map(getEnvelope)),
    ...findClosestPagingSettings(lists),
    pageSize: size('default'),
    maxPageSize: size('max'),
    order: findMostFrequent(lists.map(({ list }) => list.order)),
    listFilters: getListFilters(lists),
  };
}

function getEnvelope({ name, list: { at } }: LearnedList): string | undefined {
  const [first, second] = at.map(normalizeName);
  if (first === undefined) return 'bare';
  if (second !== undefined) return first === 'data' && second === 'items' ? 'nested' : undefined;
  return first === normalizeName(name) ? 'resource' : first;
}

/** Parameters are stored as `name` or `name=value`. */
function getListFilters(lists: readonly LearnedList[]): string | undefined {
  const request = lists.flatMap(({ list }) => Object.entries(list.query));
  if (request.length === 0) return undefined;
  if (request.some(([, does]) => does === 'sorts')) return 'filters+sort';
  return request.some(([, does]) => does === 'narrows') ? 'filters' : 'none';
}
