import type { ZObject } from 'zapier-platform-core';

/** Longer than any usual schedule of redeliveries. */
const KEPT_SECONDS = 3 * 24 * 60 * 60;

/** The cache also takes a scope on reads, which its type leaves out; without it a scoped entry is not found. */
type ScopedCache = ZObject['cache'] & { get(key: string, scope: string[]): Promise<unknown> };

const SCOPE = ['auth'];

/**
 * Remembers that a subscription's deliveries are signed: from then on an unsigned one is a forgery. A service may give
 * a secret and yet sign nothing (§6 shows no scheme).
 */
export function createSigning(z: ZObject, subscription: { id?: string; secret?: string }) {
  const key = `signs-${z.hash('sha256', `${subscription.id}\n${subscription.secret}`)}`;
  const cache = z.cache as ScopedCache;
  return {
    isKnown: async () => (await cache.get(key, SCOPE).catch(() => null)) !== null,
    remember: () => cache.set(key, 1, KEPT_SECONDS * 10, SCOPE).catch(() => null),
  };
}

/**
 * Lets each event through once per subscription: the platform itself runs a Zap for every delivery.
 * A cache that fails lets the event through, since a run too many harms less than an event lost.
 */
export function createOnce(z: ZObject, parts: { subscription: string; event: string }) {
  const key = `event-${z.hash('sha256', `${parts.subscription}\n${parts.event}`)}`;
  const cache = z.cache as ScopedCache;
  const isSeen = async () => (await cache.get(key, SCOPE).catch(() => null)) !== null;
  return {
    isSeen,
    /** True for the one caller that may run the Zap; claims late, so that a run that failed can be repeated. */
    async claim(): Promise<boolean> {
      try {
        const claimed = await cache.set(key, 1, KEPT_SECONDS, SCOPE, true);
        return claimed !== false || !(await isSeen());
      } catch {
        return true;
      }
    },
  };
}
