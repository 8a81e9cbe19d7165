import { normalizeName } from '../../src/answer/fields.ts';
import { findItems } from '../../src/answer/find-list.ts';
import type { ListProfile, ServiceProfile } from '../../src/profile/format.ts';
import { type Path, pathTo } from '../form/paths.ts';
import { findTotal } from '../probes/find-place.ts';
import { inferOrder } from '../probes/try-query.ts';
import type { SeenList, World } from '../probes/world.ts';

/** What was found out about each list, and what holds for all of them because one was tried. */
export function concludeLists(world: World): Map<string, ListProfile> {
  const concluded = [...world.lists.values()].map(
    (list) => [list.named.name, concludeList(list, world)] as const,
  );
  return new Map(concluded.flatMap(([name, list]) => (list ? [[name, list] as const] : [])));
}

function concludeList(list: SeenList, { paging, query, pagedOn }: World): ListProfile | undefined {
  const at = listPath(list);
  if (!at) return undefined;
  const resource = list.named.operation.route.split('/').at(-1) ?? '';
  const total = findTotal(list, resource) ?? (pagedOn ? sharedTotal(list, pagedOn) : undefined);
  const order = inferOrder(list.entries);
  const { size = {}, next, more } = paging;
  // A list below an object may know nothing of pages; what was tried on one of the top is said of those alone.
  const isTop = !list.named.operation.route.includes('{') || pagedOn === list;
  return {
    at: [...at],
    ...(isTop && next ? { next } : {}),
    ...(isTop && more ? { more } : {}),
    ...(total ? { total: [...total] } : {}),
    size: isTop ? { ...size } : {},
    ...(order ? { order } : {}),
    query: isTop ? { ...query } : {},
  };
}

export function listPath({ answer, named }: SeenList): Path | undefined {
  const resource = named.operation.route.split('/').at(-1) ?? '';
  const found = findItems(answer.json, resource);
  return found && (pathTo(answer.json, found.list) ?? nullPath(answer.json, resource));
}

/** `{"documents": null}` is a list without entries. */
function nullPath(json: unknown, resource: string): Path | undefined {
  if (typeof json !== 'object' || json === null) return json === null || json === undefined ? [] : undefined;
  const name = Object.entries(json).find(
    ([key, value]) => value === null && normalizeName(key) === normalizeName(resource),
  )?.[0];
  return name === undefined ? undefined : [name];
}

/** A list of no entries counts them all the same, under the name that the others have. */
function sharedTotal(list: SeenList, pagedOn: SeenList): Path | undefined {
  return list === pagedOn ? undefined : findTotal({ ...list, read: list.read }, '');
}

/** The past list with what is newly known. */
export function joinLists(
  past: ListProfile | undefined,
  now: ListProfile | undefined,
): ListProfile | undefined {
  if (!past || !now) return now ?? past;
  return { ...past, ...now, size: { ...past.size, ...now.size }, query: { ...past.query, ...now.query } };
}

export type Lists = ServiceProfile['operations'];
