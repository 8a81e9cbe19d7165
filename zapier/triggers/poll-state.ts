import { createHash } from 'node:crypto';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { z } from 'zod';
import { isPageCursor, type JsonObject, type PageCursor } from '../platform/client-core.ts';
import { createConnectionCache, withRetries } from '../platform/connection-cache.ts';

const STATE_TTL_S = 30 * 24 * 60 * 60;
/** The service's clock and this one may differ. */
const CLOCK_SKEW_MS = 60_000;
/** More would not fit into what the platform keeps. */
const MAX_SEEN_ENTRIES = 20_000;

const STATE_UNAVAILABLE_MESSAGE =
  'Zapier could not say what the last look of this trigger saw, so this one was put off: something might be left out. It looks again by itself.';

/** How the entries of a list are told apart. */
export interface EntryIdentity {
  readonly getId: (item: JsonObject) => string;
  /** When an entry became news, by the service's clock; undefined where it does not say. */
  readonly getTime: (item: JsonObject) => string | undefined;
  /** What differs where an entry is news again; a constant where only new entries are. */
  readonly getVersion: (item: JsonObject) => string;
}

/** Another version of this app may have kept it in another form: such a part counts as not kept. */
function optionalPart<Value extends z.ZodType>(value: Value) {
  return value.optional().catch(undefined);
}

const PollState = z.object({
  /** When its first look was: what is older is no news. */
  since: z.string(),
  /** Whether a look has ever left entries out: the platform does not know those. */
  partial: optionalPart(z.boolean()),
  /**
   * How the next look goes: from the `top`, where a list begins with the newest, or does when it is `sorted`; on from the
   * `tail`, where it ends with them; else all of it in `turns`.
   */
  mode: optionalPart(z.enum(['top', 'sorted', 'tail', 'turns'])),
  /** The newest entries of the last look, and the time of the first of them. */
  top: optionalPart(z.array(z.string())),
  newest: optionalPart(z.string()),
  /** Where the next look goes on: the way to a page, and an entry that was on it. */
  from: optionalPart(z.custom<PageCursor>(isPageCursor)),
  anchor: optionalPart(z.string()),
  /** Looks that have reached the end. */
  completedPasses: optionalPart(z.number()),
  /** Print of each entry and its version. */
  seen: optionalPart(z.string()),
});

/** What a Zap knows of a list since its last look. */
export type PollState = Readonly<z.infer<typeof PollState>>;

/** What one Zap's trigger remembers between two looks. */
export function createPollStateStore(platform: ZObject, bundle: Bundle, trigger: string) {
  const cache = createConnectionCache(platform);
  const key = `look-${trigger}-${bundle.meta?.zap?.id ?? 'none'}`;
  return {
    /**
     * Undefined before the first look. @throws ThrottledError where the platform's cache does not say: a look that took
     * stock anew would pass over what came since the last one.
     */
    async load(): Promise<PollState | undefined> {
      // The platform takes stock anew: what was made while the Zap was off is no news.
      if (bundle.meta?.isPopulatingDedupe === true) return undefined;
      const stored = await withRetries(() => cache.get(key)).catch(() => {
        throw new platform.errors.ThrottledError(STATE_UNAVAILABLE_MESSAGE, 60);
      });
      return PollState.safeParse(stored).data;
    },
    /** False where nothing was kept. */
    async save(state: PollState): Promise<boolean> {
      const { from } = state;
      // A total of today would end the list there tomorrow.
      const { total: _, ...cursor } = from ?? ({} as PageCursor);
      const stored = from ? { ...state, from: cursor } : state;
      return withRetries(() => cache.set(key, stored, STATE_TTL_S)).then(
        () => true,
        () => false,
      );
    },
  };
}

export function nowWithClockSkew(): string {
  return new Date(Date.now() - CLOCK_SKEW_MS).toISOString();
}

/** When a first look was: by the service's own clock, where its newest entry shows it. */
export function getFirstPollTime(newest: string | undefined): string {
  return newest !== undefined && newest < new Date().toISOString() ? newest : nowWithClockSkew();
}

const ID_LENGTH = 7;
const ENTRY_LENGTH = ID_LENGTH + 4;

/** Which entries a Zap has seen, and in which version, in eleven letters each. */
export function createSeenEntries(text = '') {
  const seen = new Map<string, string>();
  for (let at = 0; at < text.length; at += ENTRY_LENGTH)
    seen.set(text.slice(at, at + ID_LENGTH), text.slice(at + ID_LENGTH, at + ENTRY_LENGTH));
  const fingerprint = (value: string, length: number) =>
    createHash('sha256').update(value).digest('base64url').slice(0, length);
  return {
    /** Remembers an entry; says whether it was unknown, known, or known in another version. */
    markSeen(id: string, version: string): 'unknown' | 'known' | 'changed' {
      const key = fingerprint(id, ID_LENGTH);
      const currentVersion = fingerprint(version, ENTRY_LENGTH - ID_LENGTH);
      const previousVersion = seen.get(key);
      seen.set(key, currentVersion);
      if (previousVersion === undefined) return 'unknown';
      return previousVersion === currentVersion ? 'known' : 'changed';
    },
    has: (id: string) => seen.has(fingerprint(id, ID_LENGTH)),
    isEmpty: () => seen.size === 0,
    isFull: () => seen.size > MAX_SEEN_ENTRIES,
    toString: () => [...seen].flat().join(''),
  };
}
