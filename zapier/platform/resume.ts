import type { Bundle, ZObject } from 'zapier-platform-core';
import type { z as zod } from 'zod';
import { createConnectionCache } from './connection-cache.ts';

/** Longer than Zapier's automatic replays. */
const STATE_TTL_S = 24 * 60 * 60;

/** Longer than people replay a run, for a state that prevents a second email or a second file. */
export const UNKNOWN_OUTCOME_TTL_S = 30 * STATE_TTL_S;

const UNREADABLE_MESSAGE =
  'An earlier run stopped halfway, in another version of this app, and its progress can no longer be read. To avoid doing things twice, this step stops. Finish it in Docshare, and do not replay this run.';

const UNAVAILABLE_MESSAGE =
  'Zapier could not check whether an earlier run of this step stopped halfway. Nothing was done, to avoid doing it twice. Zapier tries again in a minute.';

export interface ResumeStore<State extends object> {
  /** @returns null without an unfinished run. @throws HaltedError for an unreadable one, ThrottledError if the cache fails. */
  readonly load: () => Promise<State | null>;
  /** Returns false if nothing could be saved: then a later run starts over. */
  readonly save: (state: State, seconds?: number) => Promise<boolean>;
  readonly clear: () => Promise<unknown>;
}

/**
 * Lets a step that failed between two calls continue when it runs again in the same Zap with the same input. A run that
 * succeeds clears the state, so the same input later starts over.
 */
export function createResumeStore<State extends object>(
  { z, bundle }: { z: ZObject; bundle: Pick<Bundle, 'meta'> },
  { step, input, schema }: { step: string; input: unknown; schema: zod.ZodType<State> },
): ResumeStore<State> {
  const zap = bundle.meta?.zap?.id ?? null;
  const key = `unfinished-${step}-${z.hash('sha256', JSON.stringify([zap, input]))}`;
  const cache = createConnectionCache(z);
  return {
    load: async () => {
      const stored = await cache.getOrThrottle(key, UNAVAILABLE_MESSAGE);
      if (stored === null || stored === undefined) return null;
      const { data } = schema.safeParse(stored);
      // Saved by another version of this app: its work must not be repeated.
      if (data === undefined) throw new z.errors.HaltedError(UNREADABLE_MESSAGE);
      return data;
    },
    save: (state, seconds = STATE_TTL_S) => cache.trySet(key, state, seconds),
    clear: () => cache.delete(key),
  };
}
