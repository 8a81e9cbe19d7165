import { RATE_LIMIT } from '../../src/assumptions/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { canonicalJson } from '../canonical-json.ts';
import { decryptEntry, encryptEntry } from './encrypted-entry.ts';
import type { RedisConfig } from './redis-config.ts';
import { openRedisConnection, type RedisConnection } from './redis-connection.ts';
import { createRedisRateLimit } from './redis-rate-limit.ts';
import { createReplayQueue } from './redis-replay.ts';
import { type SharedState, type StateStatus, StateUnavailableError } from './shared-state.ts';

export interface RedisStateOptions {
  readonly address: RedisConfig;
  /** The first seals, all open; see {@link openRedisConnection}. */
  readonly secrets: readonly [Buffer, ...Buffer[]];
  /** There are at least so many servers; else those that are heard count. */
  readonly replicas?: number;
  /** So long a Redis that lost its history holds all starts; a window of the limit, but for tests. */
  readonly holdMs?: number;
  readonly onStatusChange?: (status: StateStatus, code?: string) => void;
  readonly now?: () => number;
}

/** A state in Redis, under keys that are hashes and in entries that are sealed. Redis may be away, now or later. */
export async function openRedisState(options: RedisStateOptions): Promise<SharedState> {
  const { now = Date.now, holdMs = RATE_LIMIT.windowMs } = options;
  const limit = createRedisRateLimit(() => link);
  const replayQueue = createReplayQueue({ link: () => link, now });
  const link: RedisConnection = await openRedisConnection({
    ...options,
    holdMs,
    onHeartbeat: limit.refreshUsage,
    onReconnect: async (redis, all) => {
      await limit.replay(redis, all);
      await replayQueue.replay(redis, all);
    },
  });
  const getTtlMs = (until: number) => Math.max(1, Math.ceil(until - now()));

  async function find(key: string): Promise<{ sealed: string; entry: JsonObject } | undefined> {
    const sealed = await link.runCommand((redis) => redis.get(link.getKey('entry', key)));
    if (sealed === null) return undefined;
    return { sealed, entry: await decryptEntry(link.encryptor, { key, sealed }) };
  }

  return {
    get secret() {
      return link.secret;
    },
    limit,
    canStoreUserText: true,
    async get(key) {
      // What this server knows to have happened, and nobody else does yet.
      const pending = replayQueue.getPending(key);
      return pending ? pending.entry : (await find(key))?.entry;
    },
    async put(key, entry, until) {
      const sealed = await encryptEntry(link.encryptor, { key, entry });
      await link.runCommand((redis) => redis.set(link.getKey('entry', key), sealed, 'PX', getTtlMs(until)));
      replayQueue.recordWrite(key, { entry, until });
    },
    async putIfAbsent(key, entry, until) {
      const sealed = await encryptEntry(link.encryptor, { key, entry });
      try {
        const existing = await link.runCommand((redis) =>
          redis.docsharePutIfAbsent(link.getKey('entry', key), sealed, getTtlMs(until)),
        );
        if (typeof existing === 'string')
          return await decryptEntry(link.encryptor, { key, sealed: existing });
      } catch (error) {
        // It may stand there without anybody having acted on it.
        if (error instanceof StateUnavailableError) replayQueue.queueUndo(key, sealed);
        throw error;
      }
      replayQueue.recordWrite(key, { entry, until });
      return undefined;
    },
    async compareAndSwap(key, { from, to, until }) {
      const existing = await find(key);
      if (!existing || canonicalJson(existing.entry) !== canonicalJson(from)) return false;
      const sealed = await encryptEntry(link.encryptor, { key, entry: to });
      const swapped = await link.runCommand((redis) =>
        redis.docshareCompareAndSwap(link.getKey('entry', key), existing.sealed, sealed, getTtlMs(until)),
      );
      if (swapped !== 1) return false;
      replayQueue.recordWrite(key, { entry: to, until });
      return true;
    },
    async remove(key) {
      await link.runCommand((redis) => redis.del(link.getKey('entry', key)));
      replayQueue.recordWrite(key, undefined);
    },
    async writeEventually(key, entry, until) {
      replayQueue.queueWrite(key, { entry, until });
      return replayQueue.flush().then(
        () => true,
        () => false,
      );
    },
    getStatus: link.getStatus,
    close: link.close,
  };
}
