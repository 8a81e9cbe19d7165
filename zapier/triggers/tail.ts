import { IncompleteListError, type JsonObject } from '../platform/core.ts';
import { isPlaceGone, type Walked, walk } from '../records/pages.ts';
import { type createLooks, createSeen, type Known } from './looks.ts';
import { LOOK, type Poll } from './poll-changes.ts';

/**
 * A list that ends with the newest, from its last known page on; undefined where that page is no longer the one it was.
 * Entries without a date may as well be added at the beginning, so that is read too.
 */
export async function readTail({ list, getId }: Poll, known: Known): Promise<Walked | undefined> {
  const { from, anchor } = known;
  const seen = createSeen(known.seen);
  let walked: Walked;
  try {
    walked = await walk(list, { ...LOOK, from });
  } catch (error) {
    if (!isPlaceGone(error)) throw error;
    return undefined;
  }
  if (anchor === undefined) return walked;
  if (!walked.items.some((item) => getId(item) === anchor)) return undefined;
  const isNew = (item: JsonObject) => !seen.has(getId(item));
  if (seen.isEmpty() || walked.items.some(isNew)) return walked;
  const front = await walk(list, { enough: (items) => !items.every(isNew) });
  return { ...walked, items: [...front.items, ...walked.items] };
}

/** What is new of it. What has no date is new where it was not there when the end was first reached. */
export async function keepTail(
  poll: Poll,
  looks: ReturnType<typeof createLooks>,
  { known, walked }: { known: Known; walked: Walked },
): Promise<readonly JsonObject[]> {
  const { items, onward, last } = walked;
  const seen = createSeen(known.seen);
  const rounds = known.rounds ?? 0;
  const news = items.filter((item) => {
    const time = poll.getTime(item);
    if (time !== undefined) return time >= known.since;
    return seen.see(poll.getId(item), '') === 'unknown' && rounds > 0;
  });
  const lastItem = items.at(-1);
  const from = onward ?? last ?? known.from;
  const kept = await looks.keep({
    since: known.since,
    partial: true,
    mode: 'tail',
    rounds: rounds + (onward ? 0 : 1),
    seen: seen.toString(),
    ...(from ? { from } : {}),
    ...(onward || !lastItem ? {} : { anchor: poll.getId(lastItem) }),
  });
  // The next look would pass over what comes until then: the trigger says so rather than stay silent.
  if (news.length === 0 && !kept)
    throw new IncompleteListError({
      operation: poll.trigger,
      reason: 'what was read of it could not be remembered',
      itemsRead: items.length,
    });
  return news;
}
