import type { Bundle, ZObject } from 'zapier-platform-core';
import type { Client } from '../platform/client-core.ts';
import { type StepContext, withClient } from '../platform/with-client.ts';

/** Poll that returns each ID once, as Zapier requires: a list shifts by a new record and repeats one on the next page. */
export function createPollPerform<Input extends Record<string, unknown>, Item extends { readonly id: string }>(
  poll: (client: Client, step: StepContext<Input>) => Promise<readonly Item[]>,
  inputFields: readonly unknown[] = [],
): (z: ZObject, bundle: Bundle<Input>) => Promise<Item[]> {
  return withClient(async (client, step: StepContext<Input>) => {
    const seenIds = new Set<string>();
    const isFirst = ({ id }: Item) => !seenIds.has(id) && seenIds.add(id).has(id);
    return (await poll(client, step)).filter(isFirst);
  }, inputFields);
}
