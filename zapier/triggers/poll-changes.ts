import { getUpdatedFilters, LIST_ORDERS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { getCreatedAt, getTextField, InputError, type JsonObject } from '../platform/client-core.ts';
import { getStepRun } from '../platform/step-run.ts';
import type { StepContext } from '../platform/with-client.ts';
import {
  fetchPage,
  isCursorInvalid,
  isNewestFirst,
  type ListFunction,
  type ListReading,
  type ReadLimits,
  readPages,
  tryWithQuery,
} from '../records/read-list.ts';
import {
  createPollStateStore,
  createSeenEntries,
  type EntryIdentity,
  getEarliestTimeByClockSkew,
  getFirstPollTime,
  MAX_SEEN_ENTRIES,
  type PollState,
  type PollStateStore,
  type SeenEntries,
  saveScanProgress,
} from './poll-state.ts';

/** Limits of the first poll of a Zap: nearly all requests of a minute. */
export const FIRST_POLL_LIMITS = { maxPages: 110, stopsAtRateLimit: true } as const;

/** Limits of later polls for new entries: a third of the requests of a minute. */
export const POLL_LIMITS = { maxPages: 40, stopsAtRateLimit: true } as const;

/** Requests of a later poll for changes, because such polls never end. */
const MAX_REQUESTS = 15;
const LATEST_LIMITS = { maxPages: 2, stopsAtRateLimit: true } as const;
const SCAN_LIMITS = { maxPages: 10, stopsAtRateLimit: true } as const;

/** Distinct times that prove an order: imported entries share one, so a single edit may look like a sorted list. */
const MIN_SORTED_TIMES = 5;

export interface PollSource extends EntryIdentity {
  readonly list: ListFunction;
  readonly trigger: string;
}

/**
 * Returns all changed entries (and others). If the service can sort or filter by the last change, reads the latest ones.
 * Otherwise it also scans the list over several polls, and compares it with the entries seen before. No change is lost,
 * and none from before the Zap is returned.
 */
export async function pollChanges(poll: PollSource, step: StepContext<JsonObject>): Promise<readonly JsonObject[]> {
  if (step.bundle.meta?.isLoadingSample === true) return (await fetchPage(poll.list)).items;
  const store = createPollStateStore(step, poll.trigger);
  const stored = await store.load();
  const run = getStepRun(step.z);
  const lastRequest = run.getSentRequests() + MAX_REQUESTS;
  const latest = await fetchLatestChanges(poll, stored ?? { since: getEarliestTimeByClockSkew() });
  if (latest.isWholeList) {
    const firstState = createFirstState(poll, latest.items);
    const seen = createSeenEntries();
    for (const item of latest.items) isChange(poll, item, { state: firstState, seen });
    await store.save({ ...firstState, seen: seen.toString(), completedPasses: 1 });
    return latest.items;
  }
  // The first poll reads the whole list, so that a later edit of a record does not report its old status.
  if (latest.isProven && stored) return saveChanges(poll, store, { state: stored, items: latest.items });
  const timeoutMs = run.remainingReadMs();
  if (stored) {
    const maxPages = Math.min(SCAN_LIMITS.maxPages, lastRequest - run.getSentRequests());
    const limits = { ...SCAN_LIMITS, timeoutMs, maxPages };
    return continueScan(poll, store, { state: stored, limits, latest: latest.items });
  }
  const result = await readPages(poll.list, { ...FIRST_POLL_LIMITS, timeoutMs });
  const isUndated = result.readItems.every((item) => getTextField(item, RECORD_FIELDS.updatedAt) === undefined);
  if (result.kind === 'part' && isUndated && (result.total ?? 0) > MAX_SEEN_ENTRIES)
    throw new InputError(
      `This list has ${result.total} entries, and Docshare does not show when they change. This trigger can watch at most ${MAX_SEEN_ENTRIES} of them. Use an instant trigger.`,
    );
  const proven = latest.isProven ? latest.items : [];
  const state = createFirstState(poll, result.kind === 'whole' ? result.readItems : proven);
  const changes = await findChangesInScan(poll, store, { result, state, latest: proven });
  return result.kind === 'whole' ? result.readItems : [...proven, ...changes];
}

/** Continues a scan, or restarts it if the cursor is no longer valid. `latest` entries are compared, too. */
export async function continueScan(
  poll: PollSource,
  store: PollStateStore,
  { state, limits = POLL_LIMITS, latest }: { state: PollState; limits?: ReadLimits; latest?: readonly JsonObject[] },
): Promise<readonly JsonObject[]> {
  const { from } = state;
  const restart = (error: unknown) => {
    if (!isCursorInvalid(error)) throw error;
    return readPages(poll.list, limits);
  };
  const result = await readPages(poll.list, { ...limits, from }).catch(restart);
  return findChangesInScan(poll, store, { result, state, ...(latest ? { latest } : {}) });
}

export async function findChangesInScan(
  poll: PollSource,
  store: PollStateStore,
  { result, state, latest = [] }: { result: ListReading; state: PollState; latest?: readonly JsonObject[] },
): Promise<readonly JsonObject[]> {
  const { cursor } = result;
  const seen = createSeenEntries(state.seen);
  const items = [...latest, ...result.readItems];
  const newItems = items.filter((item) => isChange(poll, item, { state, seen }));
  const { passStartedAt = state.since } = state;
  const newest = getNewest(poll, state, items);
  const { passNewest = newest, passTotal = result.total } = state;
  const next = {
    mode: 'scan' as const,
    // The latest changes are read back to here, so it moves only once all earlier ones were scanned.
    newest: result.kind === 'whole' ? passNewest : (state.newest ?? newest),
    ...(cursor ? { from: cursor, passStartedAt, passNewest, passTotal } : getNextScan(state.since, passStartedAt)),
  };
  return saveScanProgress(poll, store, { state, result, seen, newItems, next });
}

/** Times of the pass after a whole one, whose changes need not be returned again; a day covers any difference of clocks. */
function getNextScan(since: string, passStartedAt: string) {
  const dayBefore = new Date(Date.parse(passStartedAt) - 24 * 60 * 60_000).toISOString();
  return { since: dayBefore > since ? dayBefore : since, passStartedAt: getEarliestTimeByClockSkew() };
}

/** True for an entry in another version than before, and for an unknown one that is newer than the last whole pass. */
function isChange(
  { getId, getTime, getVersion, isSettled }: PollSource,
  item: JsonObject,
  { state, seen }: { state: PollState; seen: SeenEntries },
): boolean {
  const time = getTime(item);
  const seenStatus = seen.markSeen(getId(item), getVersion?.(item) ?? '', {
    isSettled: time !== undefined && isSettled?.(item) === true,
  });
  if (seenStatus !== 'unknown') return seenStatus === 'changed';
  return time === undefined ? (state.completedPasses ?? 0) > 0 && !seen.isFull() : time >= state.since;
}

interface LatestChanges {
  readonly items: readonly JsonObject[];
  readonly isWholeList: boolean;
  /** True if no later change can be missing. */
  readonly isProven: boolean;
}

/**
 * Reads the latest changes back to the last poll. A list newest first by change but not by creation proves that the
 * service sorts; a part of the list that contains the newest known change proves that it filters.
 */
async function fetchLatestChanges(poll: PollSource, { newest, since }: PollState): Promise<LatestChanges> {
  const lastKnown = newest !== undefined && newest > since ? newest : since;
  const isOlder = (item: JsonObject) => (poll.getTime(item) ?? '') < lastKnown;
  const limits = { ...LATEST_LIMITS, isEnough: (items: readonly JsonObject[]) => items.some(isOlder) };
  const read = (list: ListFunction) => readPages(list, limits);
  const latest = (await tryWithQuery(poll.list, LIST_ORDERS.updated, read)) ?? (await read(poll.list));
  const { readItems: items } = latest;
  const hasOlder = items.some(isOlder);
  const hasOrder = new Set(items.map(poll.getTime)).size >= MIN_SORTED_TIMES && isNewestFirst(items, poll.getTime);
  const isSorted = hasOrder && !isNewestFirst(items, getCreatedAt);
  if (latest.kind === 'whole' && !latest.lastCursor) return { items, isWholeList: true, isProven: true };
  if (hasOlder && isSorted) return { items, isWholeList: false, isProven: true };
  if (!hasOlder) return { items, isWholeList: false, isProven: false };
  // One second earlier, since the service may leave out the given time.
  const from = new Date(Date.parse(lastKnown) - 1000).toISOString();
  const isUnfiltered = (read: readonly JsonObject[]) => read.some((item) => (poll.getTime(item) ?? '') < from);
  const filterLimits = { ...LATEST_LIMITS, isEnough: isUnfiltered };
  const filtered = await tryWithQuery(poll.list, getUpdatedFilters(from), (list) => readPages(list, filterLimits));
  const isFiltered = filtered?.kind === 'whole' && filtered.readItems.length > 0 && !isUnfiltered(filtered.readItems);
  return { items: isFiltered ? filtered.readItems : items, isWholeList: false, isProven: isFiltered };
}

/** Saves the latest changes of a service that sorts or filters by them. */
async function saveChanges(
  poll: PollSource,
  store: PollStateStore,
  { state, items }: { state: PollState; items: readonly JsonObject[] },
): Promise<readonly JsonObject[]> {
  const seen = createSeenEntries(state.seen);
  const changes = items.filter((item) => isChange(poll, item, { state, seen }));
  // A scan that is under way ends, since it began before these changes.
  const { from, passStartedAt, passNewest, ...rest } = state;
  await store.save({ ...rest, newest: getNewest(poll, state, items), seen: seen.toString(), partial: true });
  return changes;
}

/** State of a first poll: new is what is newer than `items`, the whole list or its latest, by the service's clock. */
export function createFirstState(poll: PollSource, items: readonly JsonObject[]): PollState {
  const newest = getNewest(poll, {}, items);
  return { since: getFirstPollTime(newest && new Date(Date.parse(newest) + 1).toISOString()) };
}

function getNewest(
  poll: PollSource,
  state: Pick<PollState, 'newest'>,
  items: readonly JsonObject[],
): string | undefined {
  return [state.newest, ...items.map(poll.getTime)].reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b), undefined);
}
