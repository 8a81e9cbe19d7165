import type { Bundle, ZObject } from 'zapier-platform-core';
import type { Client } from '../platform/client-core.ts';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { distinctById } from '../records/read-list.ts';

/** Poll that returns each ID once, as Zapier requires. */
export function createPollPerform<Input extends Record<string, unknown>, Item extends { readonly id: string }>(
  poll: (client: Client, step: StepContext<Input>) => Promise<readonly Item[]>,
  inputFields: readonly unknown[] = [],
): (z: ZObject, bundle: Bundle<Input>) => Promise<Item[]> {
  return withClient(
    async (client, step: StepContext<Input>) => distinctById(await poll(client, step), ({ id }) => id),
    inputFields,
  );
}
