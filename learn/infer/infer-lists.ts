import { findItems } from '../../src/pagination/find-items.ts';
import type { ListProfile } from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import { findTotalField } from '../probes/find-pagination-fields.ts';
import { findPathToValue, type JsonPath } from '../probes/json-path.ts';
import { getListResource, type ObservedList, type ProbeContext } from '../probes/probe-context.ts';
import { inferOrder } from '../probes/probe-query-parameters.ts';

/** Infers the format of each list. Pagination and query were tried on one list and apply to all. */
export function inferLists(context: ProbeContext): Map<string, ListProfile> {
  const inferred = [...context.lists.values()].map((list) => [list.named.name, inferList(list, context)] as const);
  return new Map(inferred.flatMap(([name, list]) => (list ? [[name, list] as const] : [])));
}

function inferList(list: ObservedList, { pagination, query, paginatedList }: ProbeContext): ListProfile | undefined {
  const at = findListPath(list);
  if (!at) return undefined;
  const resource = getListResource(list.named);
  const total = findTotalField(list, resource) ?? (paginatedList ? findSharedTotal(list, paginatedList) : undefined);
  const order = inferOrder(list.entries);
  const { size = {}, next, more } = pagination;
  // Nested lists may not be paginated, so results for a top-level list don't apply to them.
  const isTop = !list.named.operation.route.includes('{') || paginatedList === list;
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

function findListPath({ response, named }: ObservedList): JsonPath | undefined {
  const resource = getListResource(named);
  const found = findItems(response.json, resource);
  return found && (findPathToValue(response.json, found.items) ?? findNullListPath(response.json, resource));
}

/** Finds an empty list that is written as `{"documents": null}`. */
function findNullListPath(json: unknown, resource: string): JsonPath | undefined {
  if (typeof json !== 'object' || json === null) return json === null || json === undefined ? [] : undefined;
  const name = Object.entries(json).find(
    ([key, value]) => value === null && normalizeName(key) === normalizeName(resource),
  )?.[0];
  return name === undefined ? undefined : [name];
}

/** Finds the total of a list that has no field named after its resource. */
function findSharedTotal(list: ObservedList, paginatedList: ObservedList): JsonPath | undefined {
  return list === paginatedList ? undefined : findTotalField({ ...list, parsedPage: list.parsedPage }, '');
}

export function mergeLists(
  previous: ListProfile | undefined,
  current: ListProfile | undefined,
): ListProfile | undefined {
  if (!previous || !current) return current ?? previous;
  return {
    ...previous,
    ...current,
    size: { ...previous.size, ...current.size },
    query: { ...previous.query, ...current.query },
  };
}
