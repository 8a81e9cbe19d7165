import type { Client, RequestOptions } from '../../src/index.ts';
import { methodOf } from '../../src/method-of.ts';
import { type Group, type OperationName, operationOf } from '../../src/operations/index.ts';
import type { Scope } from '../../src/scopes.ts';

export interface Probe {
  readonly name: OperationName;
  readonly group: Group;
  readonly scope: Scope;
}

/** An id that nothing has: what is allowed to read it answers "not found". */
const NO_ID = 'docshare-probe-none';

/** One read for each group, the cheapest there is; the first also tells about address, key and clock. */
export const PROBES: readonly [Probe, ...Probe[]] = [
  probeOf('documents.list'),
  probeOf('links.list'),
  probeOf('rooms.list'),
  probeOf('agreements.list'),
  probeOf('proposals.list'),
  probeOf('templates.list'),
  probeOf('contacts.list'),
  probeOf('analytics.link'),
  probeOf('webhooks.list'),
  probeOf('billing.usage'),
];

function probeOf(name: OperationName): Probe {
  return { name, group: name.split('.')[0] as Group, scope: operationOf(name).scope };
}

/** @returns what the read failed with; undefined where it was answered */
export async function failureOf(client: Client, { name }: Probe, options?: RequestOptions): Promise<unknown> {
  try {
    await methodOf(client, name)(name === 'analytics.link' ? { id: NO_ID } : {}, options);
    return undefined;
  } catch (error) {
    return error;
  }
}
