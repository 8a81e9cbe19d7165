import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { withTimeout } from './step-run.ts';

/** Keeps the connections apart. */
const SCOPE = ['auth'];

const CACHE_TIMEOUT_MS = 2_000;

/** Zapier's cache also accepts a scope for reads and deletions; its types leave that out. */
interface ScopedCache {
  get(key: string, scope: string[]): Promise<unknown>;
  set: ZObject['cache']['set'];
  delete(key: string, scope: string[]): Promise<boolean>;
}

export type ConnectionCache = ReturnType<typeof createConnectionCache>;

/**
 * Cache of one connection. If Zapier's cache fails or is slow, reads find nothing and writes are lost: few steps depend
 * on it, and those use `getOrThrottle`, `trySet` and `setIfAbsent`, which retry.
 */
export function createConnectionCache(z: ZObject) {
  const cache = z.cache as ScopedCache;
  const read = (key: string) => withCacheTimeout(cache.get(key, SCOPE));
  // Zapier's cache rejects a value that contains the same object twice.
  const write = (key: string, value: unknown, seconds: number) =>
    withCacheTimeout(cache.set(key, JSON.parse(JSON.stringify(value)), seconds, SCOPE));
  return {
    /** Returns null for a missing key. */
    get: (key: string) => read(key).catch(() => null),
    getWithRetries: (key: string) => withRetries(() => read(key)).catch(() => null),
    /** @throws ThrottledError with the message if the cache keeps failing: Zapier runs the step again in a minute. */
    getOrThrottle: (key: string, message: string) =>
      withRetries(() => read(key)).catch(() => {
        throw new z.errors.ThrottledError(message, 60);
      }),
    set: (key: string, value: unknown, seconds: number) => write(key, value, seconds).catch(() => null),
    /**
     * Returns false if another run has set the key. An earlier attempt of this run may have succeeded unnoticed.
     * @throws if the cache keeps failing.
     */
    async setIfAbsent(key: string, seconds: number): Promise<boolean> {
      const token = randomUUID();
      const trySet = async () => (await withCacheTimeout(cache.set(key, token, seconds, SCOPE, true))) !== false;
      return withRetries(async () => {
        if (await trySet()) return true;
        const stored = await read(key);
        // Another run deleted it meanwhile, and several may see that: only one of them gets it.
        return stored === token || (stored === null && trySet());
      });
    },
    /** Returns false if nothing was saved. */
    trySet: (key: string, value: unknown, seconds: number) =>
      withRetries(() => write(key, value, seconds)).then(
        () => true,
        () => false,
      ),
    delete: (key: string) => withCacheTimeout(cache.delete(key, SCOPE)).catch(() => false),
  };
}

const MAX_ATTEMPTS = 5;
const RETRY_TIMEOUT_MS = 4_000;

/** Retries a cache operation that decides whether a Zap runs. */
async function withRetries<Result>(operation: () => Promise<Result>): Promise<Result> {
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

function withCacheTimeout<Result>(work: Promise<Result>): Promise<Result> {
  return withTimeout(work, CACHE_TIMEOUT_MS, () => new Error("Zapier's cache did not answer in time."));
}
