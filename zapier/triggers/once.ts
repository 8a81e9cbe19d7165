import type { ZObject } from 'zapier-platform-core';
import { createMemory, insist } from '../platform/cache.ts';

/** Longer than any usual schedule of redeliveries. */
const KEPT_SECONDS = 3 * 24 * 60 * 60;

/**
 * Lets each event through once per subscription: the platform itself runs a Zap for every delivery.
 * A cache that fails lets the event through, since a run too many harms less than an event lost.
 */
export function createOnce(z: ZObject, parts: { subscription: string; event: string }) {
  const key = `event-${z.hash('sha256', `${parts.subscription}\n${parts.event}`)}`;
  const memory = createMemory(z);
  const isSeen = async () => (await insist(() => memory.read(key)).catch(() => null)) !== null;
  return {
    isSeen,
    /** True for the one caller that may run the Zap; claims late, so that a run that failed can be repeated. */
    async claim(): Promise<boolean> {
      try {
        return await memory.claim(key, KEPT_SECONDS);
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
export function createSigning(z: ZObject, subscription: { id?: string; secret?: string }) {
  const key = `signs-${z.hash('sha256', `${subscription.id}\n${subscription.secret}`)}`;
  const memory = createMemory(z);
  return {
    /** @throws where the cache fails for long: then nobody can say. */
    isKnown: async () => (await insist(() => memory.read(key))) !== null,
    remember: () => insist(() => memory.keep(key, 1, KEPT_SECONDS * 10)).catch(() => null),
  };
}
