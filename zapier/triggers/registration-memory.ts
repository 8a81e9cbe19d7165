import { GATE_STATE_PATTERN, OFF_VALUE_PATTERN } from '../../src/assumptions/index.ts';
import { isObject, type JsonObject, normalizeName } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import type { StepContext } from '../platform/with-client.ts';
import { findRegistration, type Subscription, subscribe } from './subscription.ts';

const REGISTRATION_TTL_S = 365 * 24 * 60 * 60;

/** Remembers the registration of a Zap's trigger, so that the trigger's test can renew one that Docshare has lost. */
export function createRegistrationMemory({ client, z, bundle }: StepContext<JsonObject>, trigger: string) {
  const cache = createConnectionCache(z);
  const zap = bundle.meta?.zap?.id;
  const key = `registration-${trigger}-${zap}`;
  const read = async () => (zap === undefined ? null : await cache.get(key));
  const record = async (subscription: Subscription) => {
    if (zap !== undefined && subscription.id !== '') await cache.trySet(key, { ...subscription }, REGISTRATION_TTL_S);
  };
  return {
    record,
    /** Zapier may remove the old registration of a Zap after it has made the new one, which stays known. */
    async forget({ url }: Partial<Subscription>): Promise<void> {
      const stored = await read();
      const isReplaced = url !== undefined && isObject(stored) && stored['url'] !== url;
      if (!isReplaced) await cache.delete(key);
    },
    /** Secret of the last registration: Zapier does not learn of one that was renewed. */
    async readSecret(): Promise<string | undefined> {
      const stored = await read();
      return isObject(stored) && typeof stored['secret'] === 'string' ? stored['secret'] : undefined;
    },
    /** Renews a lost or disabled registration, and returns a sentence about it; undefined if it is on or nothing is known. */
    async renewIfLost(event: string): Promise<string | undefined> {
      const stored = await read();
      if (!isObject(stored)) return undefined;
      const isDelivering = async () => {
        const registration = await findRegistration(client, String(stored['id']), {});
        return registration !== undefined && !isDisabled(registration);
      };
      if (await isDelivering().catch(() => true)) return undefined;
      try {
        await record(await subscribe(client, String(stored['url']), event));
        return 'Docshare had stopped sending events to this Zap. This test has registered it again.';
      } catch {
        return 'Docshare no longer sends events to this Zap. Turn the Zap off and on again to register it.';
      }
    },
  };
}

/** True if a registration says that it is off: a service may disable one after failed deliveries. A number may mean anything. */
function isDisabled(registration: JsonObject): boolean {
  const isOff = (value: unknown) => typeof value !== 'number' && OFF_VALUE_PATTERN.test(String(value));
  return Object.entries(registration).some(
    ([name, value]) => GATE_STATE_PATTERN.test(normalizeName(name)) && isOff(value),
  );
}
