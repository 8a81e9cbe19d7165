import type { ZObject } from 'zapier-platform-core';
import { createMemory } from '../platform/cache.ts';
import { isObject } from '../platform/core.ts';

const KEPT_SECONDS = 30 * 24 * 60 * 60;

/**
 * The last delivery of a connection that ran no Zap, and why. Zapier has answered the service by then and shows no run,
 * so that nothing but the trigger's own test can tell.
 */
export function createLastDrop(z: ZObject, trigger: string) {
  const key = `dropped-${trigger}`;
  const memory = createMemory(z);
  return {
    remember: (reason: string) =>
      memory.keep(key, { at: new Date().toISOString(), reason }, KEPT_SECONDS).catch(() => null),
    /** In one sentence; undefined where none is known. */
    async tell(): Promise<string | undefined> {
      const drop = await memory.read(key).catch(() => null);
      if (!isObject(drop)) return undefined;
      return `The last delivery that ran no Zap came at ${String(drop['at'])}: ${String(drop['reason'])}.`;
    },
  };
}
