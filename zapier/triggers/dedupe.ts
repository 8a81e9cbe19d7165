import type { ZObject } from 'zapier-platform-core';
import { createConnectionCache } from '../platform/connection-cache.ts';

/** Longer than the usual redelivery schedules, and than Zapier usually holds a run. */
export const DEDUPE_TTL_S = 7 * 24 * 60 * 60;
/** For an event without an ID or time: the same visitor may come back. */
const DEDUPE_BY_CONTENT_TTL_S = 10 * 60;

const UNKNOWN_SIGNATURE_MESSAGE =
  'Zapier could not check yet whether this message needs a webhook signature. Zapier tries again in a minute.';

/**
 * Lets each event through once per subscription, since Zapier runs a Zap for every delivery. Also lets it through if the
 * cache fails: a duplicate run does less harm than a lost event.
 */
export function createEventDedupe(z: ZObject, parts: { subscription: string; event: string; isUnique: boolean }) {
  const key = `event-${z.hash('sha256', `${parts.subscription}\n${parts.event}`)}`;
  const cache = createConnectionCache(z);
  return {
    isDuplicate: async () => (await cache.getWithRetries(key)) !== null,
    /** Returns true for the run that may use the event. Call it last, so that a failed run can be repeated. */
    tryAcquire: () => cache.setIfAbsent(key, parts.isUnique ? DEDUPE_TTL_S : DEDUPE_BY_CONTENT_TTL_S).catch(() => true),
  };
}

/**
 * Remembers that a subscription's deliveries are signed: then an unsigned one is a forgery. A service may return a secret
 * and still sign nothing (§6 shows no scheme).
 */
export function createSignatureHistory(z: ZObject, subscription: { id?: string; secret?: string }) {
  const key = `signs-${z.hash('sha256', `${subscription.id}\n${subscription.secret}`)}`;
  const cache = createConnectionCache(z);
  return {
    /** @throws ThrottledError if the cache fails: an unsigned delivery may be forged, so Zapier retries it later. */
    hasSignedDelivery: async () => (await cache.getOrThrottle(key, UNKNOWN_SIGNATURE_MESSAGE)) !== null,
    recordSignedDelivery: () => cache.trySet(key, 1, DEDUPE_TTL_S * 5),
  };
}
