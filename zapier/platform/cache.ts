import type { ZObject } from 'zapier-platform-core';

/** What one connection remembers must never meet another's. */
const SCOPE = ['auth'];

/** The platform's cache also takes a scope on reads and deletions, which its types leave out. */
interface ScopedCache {
  get(key: string, scope: string[]): Promise<unknown>;
  set: ZObject['cache']['set'];
  delete(key: string, scope: string[]): Promise<boolean>;
}

/** The memory of one connection. Each method rejects where the platform's cache fails. */
export function createMemory(z: ZObject) {
  const cache = z.cache as ScopedCache;
  return {
    /** null where nothing is kept. */
    read: (key: string) => cache.get(key, SCOPE),
    keep: (key: string, value: unknown, seconds: number) => cache.set(key, value, seconds, SCOPE),
    /** False where the key is kept already. */
    claim: async (key: string, seconds: number) => (await cache.set(key, 1, seconds, SCOPE, true)) !== false,
    forget: (key: string) => cache.delete(key, SCOPE),
  };
}
