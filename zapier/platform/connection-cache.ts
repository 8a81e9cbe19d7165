import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';

/** What one connection remembers must never meet another's. */
const SCOPE = ['auth'];

/** Usual answers take milliseconds. */
const CACHE_TIMEOUT_MS = 2_000;

/** The platform's cache also takes a scope on reads and deletions, which its types leave out. */
interface ScopedCache {
  get(key: string, scope: string[]): Promise<unknown>;
  set: ZObject['cache']['set'];
  delete(key: string, scope: string[]): Promise<boolean>;
}

/** The memory of one connection. Each method rejects where the platform's cache fails or is slow. */
export function createConnectionCache(z: ZObject) {
  const cache = z.cache as ScopedCache;
  return {
    /** null where nothing is kept. */
    get: (key: string) => withTimeout(cache.get(key, SCOPE)),
    set: (key: string, value: unknown, seconds: number) => withTimeout(cache.set(key, value, seconds, SCOPE)),
    /** False where the key is kept already: by somebody else, since an own try may have come through unheard. */
    async setIfAbsent(key: string, seconds: number): Promise<boolean> {
      const token = randomUUID();
      return withRetries(async () => {
        if ((await withTimeout(cache.set(key, token, seconds, SCOPE, true))) !== false) return true;
        const stored = await withTimeout(cache.get(key, SCOPE));
        return stored === token || stored === null;
      });
    },
    delete: (key: string) => withTimeout(cache.delete(key, SCOPE)),
  };
}

const MAX_ATTEMPTS = 5;
const RETRY_TIMEOUT_MS = 4_000;

/** Asks again where the cache fails now and then: what hangs on the answer is whether a Zap runs. */
export async function withRetries<Result>(operation: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  for (let attempts = 1; ; attempts++) {
    try {
      return await operation();
    } catch (error) {
      if (attempts >= MAX_ATTEMPTS || performance.now() - startedAt > RETRY_TIMEOUT_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30 * attempts));
    }
  }
}

/** A step can do without its memory, and not without its time. */
async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The platform's cache did not answer.")), CACHE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
