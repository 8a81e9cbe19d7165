import type { Bundle, ZObject } from 'zapier-platform-core';
import { LIST_ORDERS } from '../../src/assumptions/index.ts';
import { getCreatedAt, type JsonObject } from '../platform/client-core.ts';
import {
  fetchPage,
  getNextCursor,
  getReadItems,
  isCursorInvalid,
  isNewestFirst,
  type ListFunction,
  type ListReading,
  readPages,
  readRemainingPages,
  tryWithQuery,
} from '../records/read-list.ts';
import {
  createPollStateStore,
  createSeenEntries,
  type EntryIdentity,
  getFirstPollTime,
  nowWithClockSkew,
  type PollState,
  savePass,
} from './poll-state.ts';

/** Limits of the first poll of a Zap: nearly all requests of a minute. */
export const FIRST_POLL_LIMITS = { maxPages: 110, timeoutMs: 19_000, stopsAtRateLimit: true } as const;

/** Limits of later polls: a third of the requests of a minute. */
export const POLL_LIMITS = { maxPages: 40, stopsAtRateLimit: true } as const;

export interface PollSource extends EntryIdentity {
  readonly list: ListFunction;
  readonly trigger: string;
}

type PollStateStore = ReturnType<typeof createPollStateStore>;

/**
 * Returns all new and changed entries (and others). If the service can sort by the last change, reads the latest ones.
 * Otherwise reads the whole list; a list too long for one poll is scanned over several polls and compared with the entries
 * seen before. No change is lost, and none from before the Zap is returned.
 */
export async function pollChanges(
  poll: PollSource,
  { z, bundle }: { z: ZObject; bundle: Bundle },
): Promise<readonly JsonObject[]> {
  if (bundle.meta?.isLoadingSample === true) return (await fetchPage(poll.list)).items;
  const store = createPollStateStore(z, bundle, poll.trigger);
  const state = await store.load();
  const startedAt = nowWithClockSkew();
  const firstPage = state?.mode === 'scan' ? undefined : await fetchPage(poll.list);
  // Also tried for a scanned list: whether the service sorts shows only after a change.
  const latest = firstPage && !firstPage.cursor ? undefined : await fetchLatestChanges(poll, state);
  if (latest) return saveLatest(poll, store, { state, latest });
  if (!firstPage) return continueScan(poll, state ?? { since: startedAt }, store);
  const result = await readRemainingPages(poll.list, firstPage, state ? POLL_LIMITS : FIRST_POLL_LIMITS);
  if (state?.partial || result.kind === 'part')
    return findChangesInScan(poll, store, { result, state: state ?? { since: startedAt } });
  await store.save({ since: startedAt });
  return result.items;
}

/** Continues a scan, or restarts it if the cursor is no longer valid. */
export async function continueScan(
  poll: PollSource,
  state: PollState,
  store: PollStateStore,
): Promise<readonly JsonObject[]> {
  const { from } = state;
  const restart = (error: unknown) => {
    if (!isCursorInvalid(error)) throw error;
    return readPages(poll.list, POLL_LIMITS);
  };
  const result = await readPages(poll.list, { ...POLL_LIMITS, from }).catch(restart);
  return findChangesInScan(poll, store, { result, state });
}

export async function findChangesInScan(
  poll: PollSource,
  store: PollStateStore,
  { result, state }: { result: ListReading; state: PollState },
): Promise<readonly JsonObject[]> {
  const items = getReadItems(result);
  const cursor = getNextCursor(result);
  const seen = createSeenEntries(state.seen);
  const completedPasses = state.completedPasses ?? 0;
  const newItems = items.filter((item) => {
    const seenStatus = seen.markSeen(poll.getId(item), poll.getVersion?.(item) ?? '');
    if (seenStatus !== 'unknown') return seenStatus === 'changed';
    const time = poll.getTime(item);
    return time === undefined ? completedPasses > 0 : time >= state.since;
  });
  const next = { mode: 'scan' as const, ...(cursor ? { from: cursor } : {}) };
  return savePass(poll, store, { state, result, seen, newItems, next });
}

/**
 * Latest changes, if the service sorts by them, back to the last poll. A list newest first by change but not by creation
 * proves the sorting.
 */
async function fetchLatestChanges(
  poll: PollSource,
  state: PollState | undefined,
): Promise<readonly JsonObject[] | undefined> {
  const isOlder = (item: JsonObject) => (poll.getTime(item) ?? '') < (state?.newest ?? state?.since ?? '\uffff');
  const isEnough = (items: readonly JsonObject[]) => items.some(isOlder);
  const latest = await tryWithQuery(poll.list, LIST_ORDERS.updated, (list) => readPages(list, { isEnough }));
  const items = latest ? getReadItems(latest) : [];
  if (!latest || !isNewestFirst(items, poll.getTime) || isNewestFirst(items, getCreatedAt)) return undefined;
  return latest.kind === 'whole' || isEnough(items) ? items : undefined;
}

async function saveLatest(
  poll: PollSource,
  store: PollStateStore,
  { state, latest }: { state: PollState | undefined; latest: readonly JsonObject[] },
): Promise<readonly JsonObject[]> {
  const [first] = latest;
  const newest = first && poll.getTime(first);
  const since = state?.since ?? getFirstPollTime(newest);
  await store.save({ since, partial: true, ...(newest === undefined ? {} : { newest }) });
  return state ? latest.filter((item) => (poll.getTime(item) ?? since) >= since) : latest;
}
