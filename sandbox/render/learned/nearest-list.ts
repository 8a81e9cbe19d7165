import type { LearnedList, ServiceProfile } from '../../../src/profile/service-profile.ts';
import type { SandboxProfile } from '../../profile/switches.ts';
import { plainName } from '../../service-profile/form-paths.ts';
import { mostOf } from '../../service-profile/most-frequent.ts';
import { nearestPaging } from './nearest-paging.ts';
import { type SeenList, seenLists } from './seen-lists.ts';
import { settingOf } from './setting-of.ts';

/** The settings that say how lists are given (§4), as far as lists were seen. */
export function nearestLists(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  const lists = seenLists(serviceProfile);
  if (lists.length === 0) return {};
  const size = (pick: (list: LearnedList) => number | undefined) =>
    mostOf(lists.map(({ list }) => pick(list)?.toString()));
  return {
    ...settingOf('envelope', mostOf(lists.map(envelopeOf))),
    ...nearestPaging(lists),
    ...settingOf(
      'pageSize',
      size((list) => list.size.usual),
    ),
    ...settingOf(
      'largestPage',
      size((list) => list.size.most),
    ),
    ...settingOf('order', mostOf(lists.map(({ list }) => list.order))),
    ...settingOf('narrowing', narrowingOf(lists)),
  };
}

function envelopeOf({ name, list: { at } }: SeenList): string | undefined {
  const [first, second] = at.map(plainName);
  if (first === undefined) return 'bare';
  if (second !== undefined) return first === 'data' && second === 'items' ? 'nested' : undefined;
  return first === plainName(name) ? 'resource' : first;
}

/** Parameters stand as `name` or `name=value`. */
function narrowingOf(lists: readonly SeenList[]): string | undefined {
  const asked = lists.flatMap(({ list }) => Object.entries(list.query));
  if (asked.length === 0) return undefined;
  if (asked.some(([, does]) => does === 'sorts')) return 'filters+sort';
  return asked.some(([, does]) => does === 'narrows') ? 'filters' : 'none';
}
