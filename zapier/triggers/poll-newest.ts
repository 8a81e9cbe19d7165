import { LIST_ORDERS } from '../../src/assumptions/index.ts';
import type { JsonObject } from '../platform/client-core.ts';
import { getStepRun } from '../platform/step-run.ts';
import type { StepContext } from '../platform/with-client.ts';
import {
  fetchPage,
  isNewestFirst,
  type ListReading,
  MAX_POLLED_ITEMS,
  readPages,
  readRemainingPages,
  tryWithQuery,
} from '../records/read-list.ts';
import { fetchTail, saveTail } from './incremental-poll.ts';
import {
  continueScan,
  createFirstState,
  FIRST_POLL_LIMITS,
  findChangesInScan,
  POLL_LIMITS,
  type PollSource,
} from './poll-changes.ts';
import {
  createPollStateStore,
  createSeenEntries,
  getFirstPollTime,
  type PollState,
  type PollStateStore,
} from './poll-state.ts';

/** Newest entries to remember: some may be deleted before the next poll. */
const REMEMBERED_ENTRIES = 10;

/** Longer lists that end with the newest are read only from the last known page. */
const MAX_FULL_READ_ITEMS = 400;

/**
 * Returns all new entries (and others). A list newest first, or sortable so, is read back to the last poll; one that ends
 * with the newest is read from its last page; any other is scanned for changes. Entries from before the Zap that a first
 * poll did not return are never returned later, since each would run the Zap.
 */
export async function pollNewest(poll: PollSource, step: StepContext<JsonObject>): Promise<readonly JsonObject[]> {
  if (step.bundle.meta?.isLoadingSample === true) return fetchSamples(poll);
  const store = createPollStateStore(step, poll.trigger);
  const state = await store.load();
  if (state?.mode === 'scan') return continueScan(poll, store, { state });
  if (state?.mode === 'sorted') {
    const result = await fetchSorted(poll, state, []);
    if (result) return saveTop(poll, store, { state, result, mode: 'sorted' });
  }
  if (state?.mode === 'tail') {
    const result = await fetchTail(poll, state);
    if (result) return saveTail(poll, store, { state, result });
  }
  const firstPage = await fetchPage(poll.list);
  const isWhole = !firstPage.cursor && firstPage.complete;
  if (isWhole || isNewestFirst(firstPage.items, poll.getTime)) {
    const result = await readRemainingPages(poll.list, firstPage, { isEnough: createStopCondition(poll, state) });
    return saveTop(poll, store, { state, result, mode: 'top' });
  }
  const sorted = await fetchSorted(poll, state, firstPage.items);
  if (sorted) return saveTop(poll, store, { state, result: sorted, mode: 'sorted' });
  const timeoutMs = getStepRun(step.z).remainingReadMs();
  const limits = { ...(state ? POLL_LIMITS : FIRST_POLL_LIMITS), timeoutMs };
  const result = await readRemainingPages(poll.list, firstPage, limits);
  return startUnsorted(poll, store, { state, result });
}

async function startUnsorted(
  poll: PollSource,
  store: PollStateStore,
  { state: stored, result }: { state: PollState | undefined; result: ListReading },
): Promise<readonly JsonObject[]> {
  const { readItems: items } = result;
  const state = stored ?? createFirstState(poll, result.kind === 'whole' ? items : []);
  const isOldestFirst = isNewestFirst(items.toReversed(), poll.getTime);
  if (!state.partial && result.kind === 'whole' && (items.length <= MAX_FULL_READ_ITEMS || !isOldestFirst)) {
    await store.save({ since: state.since, ...rememberUndated(poll, items) });
    return items;
  }
  const isScanned = isUndated(poll, items) && state.seen !== undefined && !state.partial;
  return !isScanned && (isOldestFirst || isUndated(poll, items))
    ? saveTail(poll, store, { state, result })
    : findChangesInScan(poll, store, { state, result });
}

/** Entries of a whole list without dates: any other is new, also if the next poll can read only a part. */
function rememberUndated(poll: PollSource, items: readonly JsonObject[]): Partial<PollState> {
  if (!isUndated(poll, items)) return {};
  const seen = createSeenEntries();
  for (const item of items) seen.markSeen(poll.getId(item), '');
  return { seen: seen.toString(), completedPasses: 1 };
}

function isUndated({ getTime }: PollSource, items: readonly JsonObject[]): boolean {
  return items.every((item) => getTime(item) === undefined);
}

/** Stops once a read from the top has reached the last poll. */
function createStopCondition({ getId, getTime }: PollSource, state: PollState | undefined) {
  const { top, newest } = state ?? {};
  if (top === undefined) return (items: readonly JsonObject[]) => items.length >= MAX_POLLED_ITEMS;
  const isKnown = (item: JsonObject) => top.includes(getId(item)) || (getTime(item) ?? '\uffff') < (newest ?? '');
  return (items: readonly JsonObject[]) => items.some(isKnown);
}

/** Reads the list sorted by the service, if the result is indeed newest first. */
async function fetchSorted(
  poll: PollSource,
  state: PollState | undefined,
  unsortedItems: readonly JsonObject[],
): Promise<ListReading | undefined> {
  const isKnownReached = createStopCondition(poll, state);
  // A first page in another order is enough.
  const isEnough = (items: readonly JsonObject[]) => !isNewestFirst(items, poll.getTime) || isKnownReached(items);
  const sorted = await tryWithQuery(poll.list, LIST_ORDERS.created, (list) => readPages(list, { isEnough }));
  const items = sorted?.readItems ?? [];
  const [first] = items;
  if (!sorted || !first || !isNewestFirst(items, poll.getTime)) return undefined;
  const newest = poll.getTime(first) ?? '';
  return unsortedItems.every((item) => (poll.getTime(item) ?? '') <= newest) ? sorted : undefined;
}

async function saveTop(
  poll: PollSource,
  store: PollStateStore,
  { state, result, mode }: { state: PollState | undefined; result: ListReading; mode: 'top' | 'sorted' },
): Promise<readonly JsonObject[]> {
  const { readItems: items } = result;
  const [first] = items;
  const newest = first && poll.getTime(first);
  const since = state?.since ?? getFirstPollTime(newest);
  await store.save({
    since,
    mode,
    top: items.slice(0, REMEMBERED_ENTRIES).map(poll.getId),
    ...(result.kind === 'whole' ? rememberUndated(poll, items) : {}),
    ...(newest === undefined ? {} : { newest }),
    ...(state?.partial || result.kind === 'part' ? { partial: true } : {}),
  });
  // Deleted entries let older ones move up, which Zapier would take for new.
  return state?.partial ? items.filter((item) => (poll.getTime(item) ?? since) >= since) : items;
}

/** Examples for the editor, newest first if two requests can get them. */
async function fetchSamples({ list, getTime }: PollSource): Promise<readonly JsonObject[]> {
  const { items, cursor } = await fetchPage(list);
  if (!cursor || isNewestFirst(items, getTime)) return items;
  const sorted = await tryWithQuery(list, LIST_ORDERS.created, (sortedList) => fetchPage(sortedList));
  return sorted && isNewestFirst(sorted.items, getTime) ? sorted.items : items;
}
