import { getCreatedAt } from '../../src/records/fields.ts';
import { getObjectCandidates } from '../../src/response/unwrap-envelope.ts';
import { getListIds, type ObservedList, type ProbeContext } from '../probes/probe-context.ts';
import type { RecordedResponse } from '../probes/session.ts';

/** Maximum age of a new object, by the clock of the service. */
const MAX_NEW_OBJECT_AGE_MS = 10 * 60_000;

/** Returns whether a create returned an object that existed before. */
export function existedBefore(
  context: ProbeContext,
  created: { list: string; id: string; response: RecordedResponse; mayReturnExisting: boolean },
): boolean {
  const { list, id, response, mayReturnExisting } = created;
  const lists = [...context.lists.values()].filter((seen) => seen.path === list);
  if (lists.some((seen) => getListIds(context, seen.named.name).includes(id))) return true;
  if (!mayReturnExisting || lists.some(isCompleteList)) return false;
  const createdAt = [...getObjectCandidates(response.json, list.slice(1))].map(getCreatedAt).find(Boolean);
  if (createdAt === undefined) return response.status !== 201;
  const now = Date.parse(response.headers['date'] ?? '') || response.at;
  return Date.parse(createdAt) < now - MAX_NEW_OBJECT_AGE_MS;
}

function isCompleteList({ parsedPage }: ObservedList): boolean {
  const { nextQuery, cursor, complete } = parsedPage.page;
  return complete && nextQuery === undefined && cursor === undefined && parsedPage.signs.more !== true;
}
