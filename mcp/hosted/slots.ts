import type { SharedState } from '../state/shared-state.ts';

/** Takes one of `most` places that all servers share; undefined where none is free. A place frees itself at `until`. */
export async function takeSlot(
  state: SharedState,
  { name, most, until }: { name: string; most: number; until: number },
): Promise<string | undefined> {
  for (let index = 0; index < most; index++) {
    const key = `slot ${name} ${index}`;
    if (!(await state.claim(key, { until }, until))) return key;
  }
  return undefined;
}
