import { isObject, type JsonObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import type { StepContext } from '../platform/with-client.ts';

const SKIPPED_TTL_S = 30 * 24 * 60 * 60;

/** Last delivery to a Zap that did not run it, and why. Zapier shows no run for it; only the trigger's test can. */
export function createLastSkippedDelivery({ z, bundle }: StepContext<JsonObject>, trigger: string) {
  const key = `dropped-${trigger}-${bundle.meta?.zap?.id}`;
  const cache = createConnectionCache(z);
  return {
    record: (reason: string) => cache.set(key, { at: new Date().toISOString(), reason }, SKIPPED_TTL_S),
    /** `reason` continues the sentence "It …", as in `record`. */
    async describe(): Promise<string | undefined> {
      const skipped = await cache.get(key);
      if (!isObject(skipped)) return undefined;
      return `The last ignored message arrived at ${String(skipped['at'])}. It ${String(skipped['reason'])}.`;
    },
  };
}
