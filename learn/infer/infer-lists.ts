import { findItems } from '../../src/pagination/find-items.ts';
import type { LearnedList, ServiceProfile } from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import { findTotalField } from '../probes/find-pagination-fields.ts';
import { findPathToValue, type JsonPath } from '../probes/json-path.ts';
import type { ObservedList, ProbeContext } from '../probes/probe-context.ts';
import { inferOrder } from '../probes/probe-query-parameters.ts';

/** What was found out about each list, and what holds for all of them because one was tried. */
export function inferLists(context: ProbeContext): Map<string, LearnedList> {
  const inferred = [...context.lists.values()].map(
    (list) => [list.named.name, inferList(list, context)] as const,
  );
  return new Map(inferred.flatMap(([name, list]) => (list ? [[name, list] as const] : [])));
}

function inferList(
  list: ObservedList,
  { pagination, query, paginatedList }: ProbeContext,
): LearnedList | undefined {
  const at = findListPath(list);
  if (!at) return undefined;
  const resource = list.named.operation.route.split('/').at(-1) ?? '';
  const total =
    findTotalField(list, resource) ?? (paginatedList ? findSharedTotal(list, paginatedList) : undefined);
  const order = inferOrder(list.entries);
  const { size = {}, next, more } = pagination;
  // A list below an object may know nothing of pages; what was tried on one of the top is said of those alone.
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

export function findListPath({ response, named }: ObservedList): JsonPath | undefined {
  const resource = named.operation.route.split('/').at(-1) ?? '';
  const found = findItems(response.json, resource);
  return found && (findPathToValue(response.json, found.items) ?? findNullListPath(response.json, resource));
}

/** `{"documents": null}` is a list without entries. */
function findNullListPath(json: unknown, resource: string): JsonPath | undefined {
  if (typeof json !== 'object' || json === null) return json === null || json === undefined ? [] : undefined;
  const name = Object.entries(json).find(
    ([key, value]) => value === null && normalizeName(key) === normalizeName(resource),
  )?.[0];
  return name === undefined ? undefined : [name];
}

/** A list of no entries counts them all the same, under the name that the others have. */
function findSharedTotal(list: ObservedList, paginatedList: ObservedList): JsonPath | undefined {
  return list === paginatedList ? undefined : findTotalField({ ...list, parsedPage: list.parsedPage }, '');
}

/** The past list with what is newly known. */
export function mergeLists(
  previous: LearnedList | undefined,
  current: LearnedList | undefined,
): LearnedList | undefined {
  if (!previous || !current) return current ?? previous;
  return {
    ...previous,
    ...current,
    size: { ...previous.size, ...current.size },
    query: { ...previous.query, ...current.query },
  };
}

export type OperationProfiles = ServiceProfile['operations'];
