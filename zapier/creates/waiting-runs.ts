import type { ZObject } from 'zapier-platform-core';
import { z as zod } from 'zod';
import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import {
  type Client,
  getTextField,
  InputError,
  idOf,
  isObject,
  isPageCursor,
  type JsonObject,
  type PageCursor,
  parseEvents,
} from '../platform/client-core.ts';
import { type ConnectionCache, createConnectionCache } from '../platform/connection-cache.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { MAX_SEARCHED_ITEMS } from '../records/continue-search.ts';
import { getEndStatus, getStatus, isSigned } from '../records/is-signed.ts';
import { agreement } from '../records/kinds.ts';
import { getListFunction, isCursorInvalid, readPages, SEARCH_LIMITS } from '../records/read-list.ts';
import { isTestMessage } from '../triggers/parse-delivery.ts';
import { unsubscribe } from '../triggers/subscription.ts';

/** Longer than Zapier lets a run wait. */
const WAIT_S = 31 * 24 * 60 * 60;
/** How long all waiting runs of an account share one reading of the list: less than the delay between two checks. */
const SHARED_READING_TTL_S = 10 * 60;
/** Delay of the runs that need more of the list than has been read. */
const READING_DELAY_S = 60;
const SHARED_READING_KEY = 'waiting-agreements';
const REGISTRATIONS_KEY = 'waiting-registrations';
/** How long a run waits for others that remember their registrations. */
const MAX_TURN_WAIT_MS = 5_000;
/** After which a turn ends by itself, if its run has crashed. */
const TURN_TTL_S = 10;

const SharedReading = zod.object({
  /** IDs of agreements that have neither been signed nor ended. */
  waitingIds: zod.array(zod.string()),
  read: zod.number(),
  /** Position at which the next run continues; undefined at the end of the list. */
  from: zod.custom<PageCursor>(isPageCursor).optional(),
});
type SharedReading = zod.infer<typeof SharedReading>;

/**
 * False if an agreement certainly still waits. An event of another agreement costs no request at first; when Zapier runs
 * the step again with any event, all waiting runs share one reading of the list.
 */
export async function mayHaveEnded(
  step: ClientStep,
  { id, delivery }: { id: string; delivery: unknown },
): Promise<boolean> {
  const namedIds = getNamedAgreements(delivery);
  const cache = createConnectionCache(step.z);
  const key = getLookKey(step.z, { id, delivery });
  if (namedIds.includes(id) && (await cache.get(key)) === null) return true;
  // The cache may fail: then the list decides.
  if (await cache.setIfAbsent(key, WAIT_S).catch(() => false)) return namedIds.includes(undefined);
  return !(await isListedAsWaiting(step, id));
}

/** Remembers that the agreement still waits after its own event, for example the first of two signatures. */
export async function recordLook({ z }: ClientStep, delivery: { id: string; delivery: unknown }): Promise<void> {
  await createConnectionCache(z).trySet(getLookKey(z, delivery), 1, WAIT_S);
}

function getLookKey(z: ZObject, { id, delivery }: { id: string; delivery: unknown }): string {
  return `resumed-${z.hash('sha256', JSON.stringify([id, delivery]))}`;
}

/** Agreements of the events of a delivery; undefined for one that does not say whose it is. */
function getNamedAgreements(delivery: unknown): readonly (string | undefined)[] {
  try {
    const events = parseEvents(JSON.stringify(delivery ?? {})).filter(({ raw }) => !isTestMessage(raw));
    return events.map(({ data, raw }) => {
      // A flat event's own ID is rarely the agreement's.
      const ownId = data === raw ? undefined : idOf(data, 'envelope');
      return getTextField(data, RECORD_FIELDS.agreementId) ?? ownId;
    });
  } catch (error) {
    if (error instanceof InputError) return [undefined];
    throw error;
  }
}

/**
 * Zapier checks all waiting runs at the same time: one of them reads the list, the others run again in a minute.
 * @throws ThrottledError while the list has not been read as far as this agreement.
 */
async function isListedAsWaiting({ client, z }: ClientStep, id: string): Promise<boolean> {
  const cache = createConnectionCache(z);
  const load = async () => SharedReading.safeParse(await cache.get(SHARED_READING_KEY)).data;
  const isEnough = (reading: SharedReading) => reading.waitingIds.includes(id) || !reading.from;
  const readerKey = `${SHARED_READING_KEY}-reader`;
  let reading = await load();
  if ((!reading || !isEnough(reading)) && (await cache.setIfAbsent(readerKey, READING_DELAY_S).catch(() => true))) {
    try {
      reading = await continueReading(client, await load());
      if (!(await cache.trySet(SHARED_READING_KEY, reading, SHARED_READING_TTL_S)))
        return reading.waitingIds.includes(id);
    } finally {
      await cache.delete(readerKey);
    }
  }
  if (reading && isEnough(reading)) return reading.waitingIds.includes(id);
  throw new z.errors.ThrottledError(
    'Zapier is checking all waiting agreements. It checks this one in a minute.',
    READING_DELAY_S,
  );
}

async function continueReading(client: Client, saved: SharedReading | undefined): Promise<SharedReading> {
  if (saved && !saved.from) return saved;
  const read = (from?: PageCursor) => readPages(getListFunction(agreement, client), { ...SEARCH_LIMITS, from });
  const reading = await read(saved?.from).catch((error: unknown) => {
    if (!isCursorInvalid(error)) throw error;
    return read();
  });
  const { readItems: items, cursor } = reading;
  const ids = items.filter(isWaiting).flatMap((item) => idOf(item, agreement.resource) ?? []);
  const total = (saved?.read ?? 0) + items.length;
  const from = total < MAX_SEARCHED_ITEMS ? cursor : undefined;
  return { waitingIds: [...(saved?.waitingIds ?? []), ...ids], read: total, ...(from && { from }) };
}

function isWaiting(item: JsonObject): boolean {
  return getStatus(item) !== undefined && getEndStatus(item) === undefined && !isSigned(item);
}

/** Remembers the registrations of a run, and removes those of runs that Zapier has given up. */
export async function replaceDeadRegistrations({ client, z }: ClientStep, ids: readonly string[]): Promise<void> {
  const cache = createConnectionCache(z);
  const removed = await takeTurn(cache, async () => {
    const stored = await cache.get(REGISTRATIONS_KEY);
    const known = Array.isArray(stored) ? stored.filter(isObject) : [];
    const isDead = ({ until }: JsonObject) => Number(until) < Date.now();
    // The next runs remove the others.
    const dead = known.filter(isDead).slice(0, 5);
    const remaining = known.filter((entry) => !dead.includes(entry)).slice(-2000);
    const own = ids.map((id) => ({ id, until: Date.now() + WAIT_S * 1000 }));
    await cache.trySet(REGISTRATIONS_KEY, [...remaining, ...own], 2 * WAIT_S);
    return dead;
  });
  for (const { id } of removed) await unsubscribe(client, { id: String(id) }).catch(() => undefined);
}

/** Runs that start at the same time would otherwise overwrite what the others remember. */
async function takeTurn<Result>(cache: ConnectionCache, work: () => Promise<Result>): Promise<Result> {
  const key = `${REGISTRATIONS_KEY}-writer`;
  const endsAt = performance.now() + MAX_TURN_WAIT_MS;
  while (!(await cache.setIfAbsent(key, TURN_TTL_S).catch(() => true)) && performance.now() < endsAt)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return work().finally(() => cache.delete(key));
}
