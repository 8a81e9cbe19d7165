import type { JsonObject } from '../platform/client-core.ts';
import { isCursorInvalid, type ListReading, readPages } from '../records/read-list.ts';
import { POLL_LIMITS, type PollSource } from './poll-changes.ts';
import { createSeenEntries, type PollState, type PollStateStore, saveScanProgress } from './poll-state.ts';

/**
 * Reads a list that ends with the newest from its last known page; undefined if that page has changed. Entries without a
 * date may also be added at the beginning, so that is read too.
 */
export async function fetchTail({ list, getId }: PollSource, state: PollState): Promise<ListReading | undefined> {
  const { from, anchor } = state;
  const seen = createSeenEntries(state.seen);
  let result: ListReading;
  try {
    result = await readPages(list, { ...POLL_LIMITS, from });
  } catch (error) {
    if (!isCursorInvalid(error)) throw error;
    return undefined;
  }
  if (anchor === undefined) return result;
  const { readItems: items } = result;
  if (!items.some((item) => getId(item) === anchor)) return undefined;
  const isNew = (item: JsonObject) => !seen.has(getId(item));
  if (seen.isEmpty() || items.some(isNew)) return result;
  const head = await readPages(list, { isEnough: (more) => !more.every(isNew) });
  return { ...result, readItems: [...head.readItems, ...items] };
}

/** Returns the new entries. One without a date is new if it was not there when the end was first reached. */
export async function saveTail(
  poll: PollSource,
  store: PollStateStore,
  { state, result }: { state: PollState; result: ListReading },
): Promise<readonly JsonObject[]> {
  const { readItems: items, cursor, lastCursor } = result;
  const seen = createSeenEntries(state.seen);
  const completedPasses = state.completedPasses ?? 0;
  const newItems = items.filter((item) => {
    const time = poll.getTime(item);
    if (time !== undefined) return time >= state.since;
    return seen.markSeen(poll.getId(item), '') === 'unknown' && completedPasses > 0;
  });
  const lastItem = items.at(-1);
  const from = cursor ?? lastCursor ?? state.from;
  const next = {
    mode: 'tail' as const,
    ...(from ? { from } : {}),
    ...(cursor || !lastItem ? {} : { anchor: poll.getId(lastItem) }),
  };
  return saveScanProgress(poll, store, { state, result, seen, newItems, next });
}
