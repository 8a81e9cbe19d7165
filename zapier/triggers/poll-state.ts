import { createHash } from 'node:crypto';
import { z as zod } from 'zod';
import { IncompleteListError, isPageCursor, type JsonObject, type PageCursor } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import type { StepContext } from '../platform/with-client.ts';
import { isAtEnd, type ListReading } from '../records/read-list.ts';

const STATE_TTL_S = 30 * 24 * 60 * 60;
const CLOCK_SKEW_MS = 60_000;
/** Entries that can be remembered, limited by the size of Zapier's cache entries. */
export const MAX_SEEN_ENTRIES = 20_000;

const STATE_UNAVAILABLE_MESSAGE =
  'Zapier could not load what this trigger saw last, so it skipped this check to miss nothing. Zapier checks again in a minute.';

export interface EntryIdentity {
  readonly getId: (item: JsonObject) => string;
  /** Time at which an entry became new, by the service's clock; undefined if unknown. */
  readonly getTime: (item: JsonObject) => string | undefined;
  /** Differs if an entry counts as changed (default: only new entries count). */
  readonly getVersion?: (item: JsonObject) => string;
  /** True for an entry that need not be remembered: it can't change any more, or shows by its time that it has. */
  readonly isSettled?: (item: JsonObject) => boolean;
}

/** Ignores a value in the form of another app version. */
function getOptionalPart<Value extends zod.ZodType>(value: Value) {
  return value.optional().catch(undefined);
}

const PollState = zod.object({
  /** Time of the first poll, or the day before the last whole scan: older entries are not new. */
  since: zod.string(),
  passStartedAt: getOptionalPart(zod.string()),
  /** Newest change that the first poll of a scan saw: any later one is newer. */
  passNewest: getOptionalPart(zod.string()),
  /** Length of the list in the first poll of a scan, if the service reports it. */
  passTotal: getOptionalPart(zod.number()),
  /** True if a poll ever left out entries, which Zapier then does not know. */
  partial: getOptionalPart(zod.boolean()),
  /** Newest first, sorted so by the service, newest last, or scanned over several polls. */
  mode: getOptionalPart(zod.enum(['top', 'sorted', 'tail', 'scan'])),
  /** Newest entries of the last poll, and the time of the first. */
  top: getOptionalPart(zod.array(zod.string())),
  newest: getOptionalPart(zod.string()),
  /** Cursor for the next poll, and an entry of that page. */
  from: getOptionalPart(zod.custom<PageCursor>(isPageCursor)),
  anchor: getOptionalPart(zod.string()),
  completedPasses: getOptionalPart(zod.number()),
  seen: getOptionalPart(zod.string()),
});

export type PollState = Readonly<zod.infer<typeof PollState>>;

export type PollStateStore = ReturnType<typeof createPollStateStore>;
export type SeenEntries = ReturnType<typeof createSeenEntries>;

export function createPollStateStore({ z, bundle }: StepContext<JsonObject>, trigger: string) {
  const cache = createConnectionCache(z);
  const key = `look-${trigger}-${bundle.meta?.zap?.id ?? 'none'}`;
  return {
    /**
     * Returns undefined before the first poll. @throws ThrottledError if the cache fails: starting over would skip the
     * entries since the last poll.
     */
    async load(): Promise<PollState | undefined> {
      // Zapier starts over when a Zap is turned on.
      if (bundle.meta?.isPopulatingDedupe === true) return undefined;
      const stored = await cache.getOrThrottle(key, STATE_UNAVAILABLE_MESSAGE);
      return PollState.safeParse(stored).data;
    },
    /** Returns false if nothing was saved. */
    save(state: PollState): Promise<boolean> {
      const { from } = state;
      // Today's total would end the list too early tomorrow.
      const { total: _, ...cursor } = from ?? ({} as PageCursor);
      return cache.trySet(key, from ? { ...state, from: cursor } : state, STATE_TTL_S);
    },
  };
}

/** Saves the progress of reading a list over several polls; `from` is where the next poll continues. */
export async function saveScanProgress(
  poll: EntryIdentity & { readonly trigger: string },
  store: PollStateStore,
  pass: {
    state: PollState;
    result: ListReading;
    seen: SeenEntries;
    newItems: readonly JsonObject[];
    next: Omit<PollState, 'since'> & { since?: string };
  },
): Promise<readonly JsonObject[]> {
  const { state, result, seen, newItems, next } = pass;
  const { cursor } = result;
  const isSaved = await store.save({
    since: state.since,
    partial: true,
    completedPasses: (state.completedPasses ?? 0) + (cursor ? 0 : 1),
    seen: seen.toString(),
    ...next,
  });
  const isCut = result.kind === 'part' && !cursor && !isAtEnd(result, { from: state.from, total: state.passTotal });
  // The next poll would miss entries, so the trigger reports it.
  if (newItems.length === 0 && (isCut || !isSaved))
    throw new IncompleteListError({
      operation: poll.trigger,
      reason: isCut ? result.reason : 'what was read of it could not be remembered',
      itemsRead: result.readItems.length,
    });
  return newItems;
}

export function getEarliestTimeByClockSkew(): string {
  return new Date(Date.now() - CLOCK_SKEW_MS).toISOString();
}

/** Time of a first poll, by the service's clock if the newest entry shows it. */
export function getFirstPollTime(newest: string | undefined): string {
  return newest !== undefined && newest < new Date().toISOString() ? newest : getEarliestTimeByClockSkew();
}

const ID_LENGTH = 7;
const ENTRY_LENGTH = ID_LENGTH + 4;

/** Entries and versions that a Zap has seen, in eleven characters each. */
export function createSeenEntries(text = '') {
  const seen = new Map<string, string>();
  for (let at = 0; at < text.length; at += ENTRY_LENGTH)
    seen.set(text.slice(at, at + ID_LENGTH), text.slice(at + ID_LENGTH, at + ENTRY_LENGTH));
  const fingerprint = (value: string, length: number) =>
    createHash('sha256').update(value).digest('base64url').slice(0, length);
  return {
    /** Records an entry and returns how it was known before. A settled one is forgotten: it was another version. */
    markSeen(id: string, version: string, { isSettled = false } = {}): 'unknown' | 'known' | 'changed' {
      const key = fingerprint(id, ID_LENGTH);
      const currentVersion = fingerprint(version, ENTRY_LENGTH - ID_LENGTH);
      const previousVersion = seen.get(key);
      if (isSettled) seen.delete(key);
      else if (previousVersion !== undefined || seen.size < MAX_SEEN_ENTRIES) seen.set(key, currentVersion);
      if (previousVersion === undefined) return 'unknown';
      return previousVersion === currentVersion ? 'known' : 'changed';
    },
    has: (id: string) => seen.has(fingerprint(id, ID_LENGTH)),
    isEmpty: () => seen.size === 0,
    isFull: () => seen.size >= MAX_SEEN_ENTRIES,
    toString: () => [...seen].flat().join(''),
  };
}
