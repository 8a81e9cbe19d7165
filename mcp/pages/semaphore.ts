import type { SharedState } from '../state/shared-state.ts';

/**
 * Takes one of `max` slots that all replicas share, or returns undefined if none is free. A slot is freed at `until`.
 */
export async function acquireSlot(
  state: SharedState,
  { name, max, until }: { name: string; max: number; until: number },
): Promise<string | undefined> {
  for (let index = 0; index < max; index++) {
    const key = `slot ${name} ${index}`;
    if (!(await state.putIfAbsent(key, { until }, until))) return key;
  }
  return undefined;
}
