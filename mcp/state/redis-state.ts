import type { JsonObject } from '../../src/records/fields.ts';
import { toCanonicalJson } from '../canonical-json.ts';
import { decryptEntry, encryptEntry } from './encrypted-entry.ts';
import { createPendingWrites } from './pending-writes.ts';
import { openRedisConnection, type RedisConnection, type RedisConnectionOptions } from './redis-connection.ts';
import { createRedisRateLimit } from './redis-rate-limit.ts';
import { type SharedState, StateUnavailableError } from './shared-state.ts';

/** Opens a state in Redis, with hashed keys and encrypted entries. Redis may be unavailable, now or later. */
export async function openRedisState(options: Omit<RedisConnectionOptions, 'onUp'>): Promise<SharedState> {
  const pending = createPendingWrites(() => connection);
  const connection: RedisConnection = await openRedisConnection({ ...options, onUp: pending.flush });
  const getTtlMs = (until: number) => Math.max(1, Math.ceil(until - Date.now()));

  async function find(key: string): Promise<{ sealed: string; entry: JsonObject } | undefined> {
    const sealed = await connection.runRepeatable((redis) => redis.get(connection.getKey('entry', key)));
    if (sealed === null) return undefined;
    return { sealed, entry: await decryptEntry(connection.encryptor, { key, sealed }) };
  }

  return {
    get secret() {
      return connection.secret;
    },
    limit: createRedisRateLimit(connection),
    canStoreUserText: true,
    async get(key) {
      const note = pending.get(key);
      return note ? note.entry : (await find(key))?.entry;
    },
    async put(key, entry, until) {
      const sealed = await encryptEntry(connection.encryptor, { key, entry });
      await connection.runRepeatable((redis) =>
        redis.set(connection.getKey('entry', key), sealed, 'PX', getTtlMs(until)),
      );
      pending.drop(key);
    },
    async putIfAbsent(key, entry, until) {
      const sealed = await encryptEntry(connection.encryptor, { key, entry });
      try {
        const existing = await connection.runRepeatable((redis) =>
          redis.docsharePutIfAbsent(connection.getKey('entry', key), sealed, getTtlMs(until)),
        );
        // The first of two attempts may have stored it.
        if (typeof existing === 'string' && existing !== sealed)
          return await decryptEntry(connection.encryptor, { key, sealed: existing });
      } catch (error) {
        // Redis may have stored it, but nobody has acted on it.
        if (error instanceof StateUnavailableError) pending.revokeClaim(key, sealed);
        throw error;
      }
      pending.drop(key);
      return undefined;
    },
    async compareAndSwap(key, { from, to, until }) {
      const existing = await find(key);
      if (!existing || toCanonicalJson(existing.entry) !== toCanonicalJson(from)) return false;
      const sealed = await encryptEntry(connection.encryptor, { key, entry: to });
      const swapped = await connection.runRepeatable((redis) =>
        redis.docshareCompareAndSwap(connection.getKey('entry', key), existing.sealed, sealed, getTtlMs(until)),
      );
      if (swapped !== 1) return false;
      pending.drop(key);
      return true;
    },
    async remove(key) {
      await connection.runRepeatable((redis) => redis.del(connection.getKey('entry', key)));
      pending.drop(key);
    },
    async writeEventually(key, entry, until) {
      pending.add(key, { entry, until });
      return connection.runCommand(pending.flush).then(
        () => true,
        () => false,
      );
    },
    getStatus: connection.getStatus,
    close: connection.close,
  };
}
