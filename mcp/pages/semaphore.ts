import type { SharedState } from '../state/shared-state.ts';

interface SlotRequest {
  readonly name: string;
  readonly max: number;
  readonly until: number;
}

/**
 * Takes one of `max` slots that all replicas share, or returns undefined if none is free. A slot is freed at `until`.
 */
export async function acquireSlot(state: SharedState, request: SlotRequest): Promise<string | undefined> {
  return (await acquireSlots(state, { ...request, count: 1 }))?.[0];
}

/** Takes `count` slots, or none. */
export async function acquireSlots(
  state: SharedState,
  { name, max, count, until }: SlotRequest & { readonly count: number },
): Promise<readonly string[] | undefined> {
  const slots: string[] = [];
  for (let index = 0; index < max && slots.length < count; index++) {
    const key = `slot ${name} ${index}`;
    if (!(await state.putIfAbsent(key, { until }, until))) slots.push(key);
  }
  if (slots.length === count) return slots;
  await releaseSlots(state, slots);
  return undefined;
}

export async function releaseSlots(state: SharedState, slots: readonly string[]): Promise<void> {
  await Promise.all(slots.map((slot) => state.remove(slot)));
}
