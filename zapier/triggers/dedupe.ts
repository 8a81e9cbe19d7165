import type { ZObject } from 'zapier-platform-core';
import { createConnectionCache, withRetries } from '../platform/connection-cache.ts';

/** Longer than any usual schedule of redeliveries. */
const DEDUPE_TTL_S = 3 * 24 * 60 * 60;

/**
 * Lets each event through once per subscription: the platform itself runs a Zap for every delivery.
 * A cache that fails lets the event through, since a run too many harms less than an event lost.
 */
export function createEventDedupe(z: ZObject, parts: { subscription: string; event: string }) {
  const key = `event-${z.hash('sha256', `${parts.subscription}\n${parts.event}`)}`;
  const cache = createConnectionCache(z);
  const isDuplicate = async () => (await withRetries(() => cache.get(key)).catch(() => null)) !== null;
  return {
    isDuplicate,
    /** True for the one caller that may run the Zap; claims late, so that a run that failed can be repeated. */
    async tryAcquire(): Promise<boolean> {
      try {
        return await cache.setIfAbsent(key, DEDUPE_TTL_S);
      } catch {
        return true;
      }
    },
  };
}

/**
 * Remembers that a subscription's deliveries are signed: from then on an unsigned one is a forgery. A service may give
 * a secret and yet sign nothing (§6 shows no scheme).
 */
export function createSignatureHistory(z: ZObject, subscription: { id?: string; secret?: string }) {
  const key = `signs-${z.hash('sha256', `${subscription.id}\n${subscription.secret}`)}`;
  const cache = createConnectionCache(z);
  return {
    /** @throws where the cache fails for long: then nobody can say. */
    hasSignedDelivery: async () => (await withRetries(() => cache.get(key))) !== null,
    recordSignedDelivery: () => withRetries(() => cache.set(key, 1, DEDUPE_TTL_S * 10)).catch(() => null),
  };
}
