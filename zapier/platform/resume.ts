import type { Bundle, ZObject } from 'zapier-platform-core';
import type { z } from 'zod';
import { createConnectionCache, withRetries } from './connection-cache.ts';

/** Longer than the platform replays a failed run by itself. */
const STATE_TTL_S = 24 * 60 * 60;

const UNREADABLE_MESSAGE =
  'An earlier run of this step stopped half-way, under another version of this app, and what it has done can no longer be read. So nothing is done twice: look at it in Docshare, finish it there, and do not replay this run.';

const UNAVAILABLE_MESSAGE =
  'Zapier could not say whether an earlier run of this step stopped half-way, so nothing was done yet: it might be done twice. It tries again by itself in a minute.';

/** What a step of several calls has done so far. */
export interface ResumeStore<State extends object> {
  /**
   * null where nothing is left of an earlier run. @throws HaltedError where what is left can't be read, ThrottledError
   * where the platform's cache does not say whether anything is.
   */
  readonly load: () => Promise<State | null>;
  /** False where nothing can be kept: a run after this one starts anew. */
  readonly save: (state: State) => Promise<boolean>;
  readonly clear: () => Promise<unknown>;
}

/**
 * The memory of a step that failed between two of its calls: run again in the same Zap with the very same input, it
 * goes on from there and does nothing twice. A run that ended well forgets, so that the same input later is done anew.
 */
export function createResumeStore<State extends object>(
  { z: platform, bundle }: { z: ZObject; bundle: Pick<Bundle, 'meta'> },
  { step, input, schema }: { step: string; input: unknown; schema: z.ZodType<State> },
): ResumeStore<State> {
  const zap = bundle.meta?.zap?.id ?? null;
  const key = `unfinished-${step}-${platform.hash('sha256', JSON.stringify([zap, input]))}`;
  const cache = createConnectionCache(platform);
  return {
    load: async () => {
      const stored = await withRetries(() => cache.get(key)).catch(() => {
        throw new platform.errors.ThrottledError(UNAVAILABLE_MESSAGE, 60);
      });
      if (stored === null || stored === undefined) return null;
      const { data } = schema.safeParse(stored);
      // Another version of this app has kept it: whatever it has done must not be done twice.
      if (data === undefined) throw new platform.errors.HaltedError(UNREADABLE_MESSAGE);
      return data;
    },
    save: (state) =>
      withRetries(() => cache.set(key, state, STATE_TTL_S)).then(
        () => true,
        () => false,
      ),
    clear: () => cache.delete(key).catch(() => undefined),
  };
}
