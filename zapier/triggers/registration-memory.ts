import type { Bundle, ZObject } from 'zapier-platform-core';
import type { Client } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { isRegistered } from './subscription.ts';

const REGISTRATION_TTL_S = 365 * 24 * 60 * 60;

/** Remembers the registration of a Zap's trigger, so that the trigger's test can tell if Docshare has lost it. */
export function createRegistrationMemory(z: ZObject, trigger: string, bundle: Pick<Bundle, 'meta'>) {
  const cache = createConnectionCache(z);
  const zap = bundle.meta?.zap?.id;
  const key = `registration-${trigger}-${zap}`;
  return {
    record: async (id: string) => {
      if (zap !== undefined && id !== '') await cache.trySet(key, id, REGISTRATION_TTL_S);
    },
    /** A sentence if the registration is gone; undefined if it exists or nothing is known. */
    async describe(client: Client): Promise<string | undefined> {
      const id = zap === undefined ? null : await cache.get(key).catch(() => null);
      if (typeof id !== 'string' || (await isRegistered(client, id, {}).catch(() => true))) return undefined;
      return 'Docshare no longer sends events to this Zap. Turn the Zap off and on again to register it.';
    },
  };
}
