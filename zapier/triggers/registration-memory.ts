import type { Bundle, ZObject } from 'zapier-platform-core';
import { type Client, isObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { isRegistered, type Subscription, subscribe } from './subscription.ts';

const REGISTRATION_TTL_S = 365 * 24 * 60 * 60;

/** Remembers the registration of a Zap's trigger, so that the trigger's test can renew one that Docshare has lost. */
export function createRegistrationMemory(z: ZObject, trigger: string, bundle: Pick<Bundle, 'meta'>) {
  const cache = createConnectionCache(z);
  const zap = bundle.meta?.zap?.id;
  const key = `registration-${trigger}-${zap}`;
  const read = async () => (zap === undefined ? null : await cache.get(key).catch(() => null));
  const record = async (subscription: Subscription) => {
    if (zap !== undefined && subscription.id !== '') await cache.trySet(key, { ...subscription }, REGISTRATION_TTL_S);
  };
  return {
    record,
    forget: () => cache.delete(key).catch(() => false),
    /** Secret of the last registration: Zapier does not learn of one that was renewed. */
    async readSecret(): Promise<string | undefined> {
      const stored = await read();
      return isObject(stored) && typeof stored['secret'] === 'string' ? stored['secret'] : undefined;
    },
    /** Renews a lost registration, and returns a sentence about it; undefined if it exists or nothing is known. */
    async renewIfLost(client: Client, event: string): Promise<string | undefined> {
      const stored = await read();
      if (!isObject(stored)) return undefined;
      if (await isRegistered(client, String(stored['id']), {}).catch(() => true)) return undefined;
      try {
        await record(await subscribe(client, String(stored['url']), event));
        return 'Docshare had stopped sending events to this Zap. This test has registered it again.';
      } catch {
        return 'Docshare no longer sends events to this Zap. Turn the Zap off and on again to register it.';
      }
    },
  };
}
