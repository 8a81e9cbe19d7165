import type { ZObject } from 'zapier-platform-core';
import { isObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';

const SKIPPED_TTL_S = 30 * 24 * 60 * 60;

/**
 * The last delivery of a connection that ran no Zap, and why. Zapier has answered the service by then and shows no run,
 * so that nothing but the trigger's own test can tell.
 */
export function createLastSkippedDelivery(z: ZObject, trigger: string) {
  const key = `dropped-${trigger}`;
  const cache = createConnectionCache(z);
  return {
    record: (reason: string) =>
      cache.set(key, { at: new Date().toISOString(), reason }, SKIPPED_TTL_S).catch(() => null),
    /** In one sentence; undefined where none is known. */
    async describe(): Promise<string | undefined> {
      const skipped = await cache.get(key).catch(() => null);
      if (!isObject(skipped)) return undefined;
      return `The last delivery that ran no Zap came at ${String(skipped['at'])}: ${String(skipped['reason'])}.`;
    },
  };
}
