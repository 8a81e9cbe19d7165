import type { ZObject } from 'zapier-platform-core';
import { ENDED_STATE_PATTERN, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { type Client, getTextField, idOf, isObject, type JsonObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { isSigned } from '../records/is-signed.ts';
import { agreement } from '../records/kinds.ts';
import { getListFunction, getReadItems, readPages, SEARCH_LIMITS } from '../records/read-list.ts';
import { unsubscribe } from '../triggers/subscription.ts';
import { getAgreementStatus } from './already-sent.ts';

interface Step {
  readonly client: Client;
  readonly z: ZObject;
}

/** Longer than Zapier lets a run wait. */
const WAIT_S = 31 * 24 * 60 * 60;
/** How long all waiting runs of an account share one reading of the list: less than the delay between two checks. */
const SHARED_READING_TTL_S = 10 * 60;

/**
 * False if an agreement certainly still waits. An event of another agreement costs no request at first; when Zapier runs
 * the step again with it, all waiting runs share one reading of the list.
 */
export async function mayHaveEnded(step: Step, { id, delivery }: { id: string; delivery: unknown }): Promise<boolean> {
  const namedId = getNamedAgreement(delivery);
  if (namedId === undefined || namedId === id) return true;
  const cache = createConnectionCache(step.z);
  const key = `resumed-${step.z.hash('sha256', JSON.stringify([id, delivery]))}`;
  // The cache may fail: then the list decides.
  if (await cache.setIfAbsent(key, WAIT_S).catch(() => false)) return false;
  const waitingIds = await readWaitingIds(step);
  return !waitingIds.includes(id);
}

/** Undefined if the event does not say whose it is. */
function getNamedAgreement(delivery: unknown): string | undefined {
  if (!isObject(delivery)) return undefined;
  const data = isObject(delivery['data']) ? delivery['data'] : delivery;
  const ownId = data === delivery ? undefined : idOf(data, 'envelope');
  return getTextField(data, RECORD_FIELDS.agreementId) ?? ownId;
}

/** IDs of agreements that have neither been signed nor ended, as far as one run can read. */
async function readWaitingIds({ client, z }: Step): Promise<readonly unknown[]> {
  const cache = createConnectionCache(z);
  const shared = await cache.get('waiting-agreements').catch(() => null);
  if (Array.isArray(shared)) return shared;
  const items = getReadItems(await readPages(getListFunction(agreement, client), SEARCH_LIMITS));
  const ids = items.filter(isWaiting).flatMap((item) => idOf(item, agreement.resource) ?? []);
  await cache.trySet('waiting-agreements', ids, SHARED_READING_TTL_S);
  return ids;
}

function isWaiting(item: JsonObject): boolean {
  const status = getAgreementStatus(item);
  return status !== undefined && !ENDED_STATE_PATTERN.test(status) && !isSigned(item);
}

/** Remembers a registration, and removes those of runs that Zapier has given up. */
export async function replaceDeadRegistrations({ client, z }: Step, id: string): Promise<void> {
  const cache = createConnectionCache(z);
  const stored = await cache.get('waiting-registrations').catch(() => null);
  const known = Array.isArray(stored) ? stored.filter(isObject) : [];
  const isDead = ({ until }: JsonObject) => Number(until) < Date.now();
  // The next runs remove the others.
  const removed = known.filter(isDead).slice(0, 5);
  for (const dead of removed) await unsubscribe(client, { id: String(dead['id']) }).catch(() => undefined);
  const remaining = known.filter((entry) => !removed.includes(entry)).slice(-500);
  const own = { id, until: Date.now() + WAIT_S * 1000 };
  await cache.trySet('waiting-registrations', [...remaining, own], 2 * WAIT_S);
}
