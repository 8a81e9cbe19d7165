import { getCandidates } from '../../src/answer/envelope.ts';
import { createdAtOf } from '../../src/answer/fields.ts';
import { getListIds, type SeenList, type World } from '../probes/world.ts';
import type { Answer } from '../wire/session.ts';

/** So old a new object may look, by the clock of its service. */
const MAX_NEW_OBJECT_AGE_MS = 10 * 60_000;

/** Whether what was answered to making an object is one that was there before. */
export function wasThere(
  world: World,
  { list, id, answer, mayBeThere }: { list: string; id: string; answer: Answer; mayBeThere: boolean },
): boolean {
  const lists = [...world.lists.values()].filter((seen) => seen.path === list);
  if (lists.some((seen) => getListIds(world, seen.named.name).includes(id))) return true;
  if (!mayBeThere || lists.some(isWhole)) return false;
  const created = [...getCandidates(answer.json, list.slice(1))].map(createdAtOf).find(Boolean);
  if (created === undefined) return answer.status !== 201;
  const now = Date.parse(answer.headers['date'] ?? '') || answer.at;
  return Date.parse(created) < now - MAX_NEW_OBJECT_AGE_MS;
}

function isWhole({ read }: SeenList): boolean {
  const { nextQuery, cursor, complete } = read.page;
  return complete && nextQuery === undefined && cursor === undefined && read.more !== true;
}
