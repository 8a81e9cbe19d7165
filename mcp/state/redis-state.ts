import type { JsonObject } from '../../src/answer/fields.ts';
import { RATE_LIMIT } from '../../src/assumptions/index.ts';
import { canonicalJson } from '../canonical.ts';
import type { RedisAddress } from './redis-address.ts';
import { createRedisLimit } from './redis-limit.ts';
import { openRedisLink, type RedisLink } from './redis-link.ts';
import { createRetold } from './retold.ts';
import { readSealed, sealEntry } from './sealed-entry.ts';
import { type Condition, type SharedState, StateAwayError } from './shared-state.ts';

export interface RedisStateOptions {
  readonly address: RedisAddress;
  /** The first seals, all open; see {@link openRedisLink}. */
  readonly secrets: readonly [Buffer, ...Buffer[]];
  /** There are at least so many servers; else those that are heard count. */
  readonly replicas?: number;
  /** So long a Redis that lost its history holds all starts; a window of the limit, but for tests. */
  readonly holdMs?: number;
  readonly onCondition?: (condition: Condition, code?: string) => void;
  readonly now?: () => number;
}

/** A state in Redis, under keys that are hashes and in entries that are sealed. Redis may be away, now or later. */
export async function openRedisState(options: RedisStateOptions): Promise<SharedState> {
  const { now = Date.now, holdMs = RATE_LIMIT.windowMs } = options;
  const limit = createRedisLimit(() => link);
  const retold = createRetold({ link: () => link, now });
  const link: RedisLink = await openRedisLink({
    ...options,
    holdMs,
    onBeat: limit.listen,
    onReturn: async (redis, all) => {
      await limit.retell(redis, all);
      await retold.retell(redis, all);
    },
  });
  const lastsFor = (until: number) => Math.max(1, Math.ceil(until - now()));

  async function find(key: string): Promise<{ sealed: string; entry: JsonObject } | undefined> {
    const sealed = await link.ask((redis) => redis.get(link.getKey('entry', key)));
    if (sealed === null) return undefined;
    return { sealed, entry: await readSealed(link.seal, { key, sealed }) };
  }

  return {
    get secret() {
      return link.secret;
    },
    limit,
    keepsTexts: true,
    async get(key) {
      // What this server knows to have happened, and nobody else does yet.
      const owed = retold.owed(key);
      return owed ? owed.entry : (await find(key))?.entry;
    },
    async put(key, entry, until) {
      const sealed = await sealEntry(link.seal, { key, entry });
      await link.ask((redis) => redis.set(link.getKey('entry', key), sealed, 'PX', lastsFor(until)));
      retold.wrote(key, { entry, until });
    },
    async claim(key, entry, until) {
      const sealed = await sealEntry(link.seal, { key, entry });
      try {
        const standing = await link.ask((redis) =>
          redis.docshareClaim(link.getKey('entry', key), sealed, lastsFor(until)),
        );
        if (typeof standing === 'string') return await readSealed(link.seal, { key, sealed: standing });
      } catch (error) {
        // It may stand there without anybody having acted on it.
        if (error instanceof StateAwayError) retold.undo(key, sealed);
        throw error;
      }
      retold.wrote(key, { entry, until });
      return undefined;
    },
    async swap(key, { from, to, until }) {
      const standing = await find(key);
      if (!standing || canonicalJson(standing.entry) !== canonicalJson(from)) return false;
      const sealed = await sealEntry(link.seal, { key, entry: to });
      const swapped = await link.ask((redis) =>
        redis.docshareSwap(link.getKey('entry', key), standing.sealed, sealed, lastsFor(until)),
      );
      if (swapped !== 1) return false;
      retold.wrote(key, { entry: to, until });
      return true;
    },
    async remove(key) {
      await link.ask((redis) => redis.del(link.getKey('entry', key)));
      retold.wrote(key, undefined);
    },
    async note(key, entry, until) {
      retold.owe(key, { entry, until });
      return retold.pay().then(
        () => true,
        () => false,
      );
    },
    condition: link.condition,
    close: link.close,
  };
}
