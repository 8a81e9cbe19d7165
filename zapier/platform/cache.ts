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
export function createMemory(z: ZObject) {
  const cache = z.cache as ScopedCache;
  return {
    /** null where nothing is kept. */
    read: (key: string) => inTime(cache.get(key, SCOPE)),
    keep: (key: string, value: unknown, seconds: number) => inTime(cache.set(key, value, seconds, SCOPE)),
    /** False where the key is kept already: by somebody else, since an own try may have come through unheard. */
    async claim(key: string, seconds: number): Promise<boolean> {
      const token = randomUUID();
      return insist(async () => {
        if ((await inTime(cache.set(key, token, seconds, SCOPE, true))) !== false) return true;
        const kept = await inTime(cache.get(key, SCOPE));
        return kept === token || kept === null;
      });
    },
    forget: (key: string) => inTime(cache.delete(key, SCOPE)),
  };
}

const TRIES = 5;
const RETRY_TIMEOUT_MS = 4_000;

/** Asks again where the cache fails now and then: what hangs on the answer is whether a Zap runs. */
export async function insist<Result>(question: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await question();
    } catch (error) {
      if (tries >= TRIES || performance.now() - startedAt > RETRY_TIMEOUT_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30 * tries));
    }
  }
}

/** A step can do without its memory, and not without its time. */
async function inTime<Result>(answer: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The platform's cache did not answer.")), CACHE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
