import type { Bundle, ZObject } from 'zapier-platform-core';
import type { z } from 'zod';
import { createMemory, insist } from './cache.ts';

/** Longer than the platform replays a failed run by itself. */
const KEPT_SECONDS = 24 * 60 * 60;

const UNREADABLE =
  'An earlier run of this step stopped half-way, under another version of this app, and what it has done can no longer be read. So nothing is done twice: look at it in Docshare, finish it there, and do not replay this run.';

const UNREACHABLE =
  'Zapier could not say whether an earlier run of this step stopped half-way, so nothing was done yet: it might be done twice. It tries again by itself in a minute.';

/** What a step of several calls has done so far. */
export interface Unfinished<State extends object> {
  /**
   * null where nothing is left of an earlier run. @throws HaltedError where what is left can't be read, ThrottledError
   * where the platform's cache does not say whether anything is.
   */
  readonly read: () => Promise<State | null>;
  /** False where nothing can be kept: a run after this one starts anew. */
  readonly keep: (state: State) => Promise<boolean>;
  readonly forget: () => Promise<unknown>;
}

/**
 * The memory of a step that failed between two of its calls: run again in the same Zap with the very same input, it
 * goes on from there and does nothing twice. A run that ended well forgets, so that the same input later is done anew.
 */
export function createUnfinished<State extends object>(
  { z: platform, bundle }: { z: ZObject; bundle: Pick<Bundle, 'meta'> },
  { step, input, form }: { step: string; input: unknown; form: z.ZodType<State> },
): Unfinished<State> {
  const zap = bundle.meta?.zap?.id ?? null;
  const key = `unfinished-${step}-${platform.hash('sha256', JSON.stringify([zap, input]))}`;
  const memory = createMemory(platform);
  return {
    read: async () => {
      const kept = await insist(() => memory.read(key)).catch(() => {
        throw new platform.errors.ThrottledError(UNREACHABLE, 60);
      });
      if (kept === null || kept === undefined) return null;
      const { data } = form.safeParse(kept);
      // Another version of this app has kept it: whatever it has done must not be done twice.
      if (data === undefined) throw new platform.errors.HaltedError(UNREADABLE);
      return data;
    },
    keep: (state) =>
      insist(() => memory.keep(key, state, KEPT_SECONDS)).then(
        () => true,
        () => false,
      ),
    forget: () => memory.forget(key).catch(() => undefined),
  };
}
