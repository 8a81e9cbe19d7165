import type { Bundle, ZObject } from 'zapier-platform-core';
import { createMemory } from './cache.ts';
import { isObject } from './core.ts';

/** Longer than the platform replays a failed run by itself. */
const KEPT_SECONDS = 24 * 60 * 60;

/** What a step of several calls has done so far. */
export interface Unfinished<State extends object> {
  /** null where nothing is left of an earlier run. */
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
  { z, bundle }: { z: ZObject; bundle: Pick<Bundle, 'meta'> },
  { step, input }: { step: string; input: unknown },
): Unfinished<State> {
  const zap = bundle.meta?.zap?.id ?? null;
  const key = `unfinished-${step}-${z.hash('sha256', JSON.stringify([zap, input]))}`;
  const memory = createMemory(z);
  return {
    read: async () => {
      const state = await memory.read(key).catch(() => null);
      return isObject(state) ? (state as State) : null;
    },
    keep: (state) =>
      memory.keep(key, state, KEPT_SECONDS).then(
        () => true,
        () => false,
      ),
    forget: () => memory.forget(key).catch(() => false),
  };
}
