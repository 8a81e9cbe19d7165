import type { Bundle, ZObject } from 'zapier-platform-core';
import { type Step, withClient } from '../platform/client.ts';
import type { Client } from '../platform/core.ts';

/**
 * One look of a polling trigger, each item once: the platform refuses a look that gives an id twice, and a list shows a
 * record on two pages where a newer one came in between.
 */
export function lookOnce<Input extends Record<string, unknown>, Item extends { readonly id: string }>(
  look: (client: Client, step: Step<Input>) => Promise<readonly Item[]>,
): (z: ZObject, bundle: Bundle<Input>) => Promise<Item[]> {
  return withClient(async (client, step: Step<Input>) => {
    const seen = new Set<string>();
    const isFirst = ({ id }: Item) => !seen.has(id) && seen.add(id).has(id);
    return (await look(client, step)).filter(isFirst);
  });
}
