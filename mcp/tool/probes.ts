import { NotFoundError } from '../../src/errors.ts';
import { getMethod } from '../../src/get-method.ts';
import type { Client, RequestOptions } from '../../src/index.ts';
import { getOperation, type OperationName } from '../../src/operations/index.ts';
import { getGroup } from './tool.ts';

export type Probe = ReturnType<typeof createProbe>;

/** Id that does not exist: with permission, reading it returns "not found". */
const MISSING_ID = 'docshare-probe-none';

/** The cheapest read of each group; the first one also checks URL, key and clock. */
export const PROBES: readonly [Probe, ...Probe[]] = [
  createProbe('documents.list'),
  createProbe('links.list'),
  createProbe('rooms.list'),
  createProbe('agreements.list'),
  createProbe('proposals.list'),
  createProbe('templates.list'),
  createProbe('contacts.list'),
  createProbe('analytics.link'),
  createProbe('webhooks.list'),
  createProbe('billing.usage'),
];

function createProbe(name: OperationName) {
  return { name, group: getGroup(name), scope: getOperation(name).scope };
}

/** Returns the error of the read, or undefined. */
export async function getProbeError(client: Client, { name }: Probe, options?: RequestOptions): Promise<unknown> {
  try {
    await getMethod(client, name)(name === 'analytics.link' ? { id: MISSING_ID } : {}, options);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Returns whether the error is the "not found" of the id that does not exist. */
export function isExpectedNotFound({ name }: Probe, error: unknown): boolean {
  return name === 'analytics.link' && error instanceof NotFoundError;
}
