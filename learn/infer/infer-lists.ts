import { getListName } from '../../src/operations/operation.ts';
import { findItems } from '../../src/pagination/find-items.ts';
import type { ListProfile } from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { findTotalField } from '../probes/find-pagination-fields.ts';
import { findPathToValue, type JsonPath } from '../probes/json-path.ts';
import type { ObservedList, ProbeContext } from '../probes/probe-context.ts';
import { inferOrder } from '../probes/probe-query-parameters.ts';

/** Infers the format of each list. Pagination and query were tried on one list and apply to all. */
export function inferLists(context: ProbeContext): Map<string, ListProfile> {
  const inferred = [...context.lists.values()].map((list) => [list.named.name, inferList(list, context)] as const);
  return new Map(inferred.flatMap(([name, list]) => (list ? [[name, list] as const] : [])));
}

function inferList(
  list: ObservedList,
  { pagination, query, paginatedList, order }: ProbeContext,
): ListProfile | undefined {
  const at = findListPath(list);
  if (!at) return undefined;
  const resource = getListName(list.named.operation);
  // A list may have a total although no field is named after its resource.
  const isOther = paginatedList !== undefined && paginatedList !== list;
  const total = findTotalField(list, resource) ?? (isOther ? findTotalField(list, '') : undefined);
  const { size = {}, next, more } = pagination;
  // Nested lists may not be paginated, so results for a top-level list don't apply to them.
  const isTop = !list.named.operation.route.includes('{') || paginatedList === list;
  return omitUndefined({
    at: [...at],
    next: isTop ? next : undefined,
    more: isTop ? more : undefined,
    total: total && [...total],
    size: isTop ? { ...size } : {},
    order: inferOrder(list.entries) ?? (isTop ? order : undefined),
    query: isTop ? { ...query } : {},
  });
}

function findListPath({ response, named }: ObservedList): JsonPath | undefined {
  const resource = getListName(named.operation);
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
