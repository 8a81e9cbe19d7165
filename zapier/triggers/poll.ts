import type { Bundle, ZObject } from 'zapier-platform-core';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { distinctById } from '../records/read-list.ts';

/** Poll that returns each ID once, as Zapier requires. */
export function createPollPerform<Input extends Record<string, unknown>, Item extends { readonly id: string }>(
  poll: (step: StepContext<Input>) => Promise<readonly Item[]>,
  inputFields: readonly unknown[] = [],
): (z: ZObject, bundle: Bundle<Input>) => Promise<Item[]> {
  return withClient(async (step: StepContext<Input>) => distinctById(await poll(step), ({ id }) => id), inputFields);
}
