import type { SharedState } from '../state/shared-state.ts';

/** Takes one of `max` places that all servers share; undefined where none is free. A place frees itself at `until`. */
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
