import type { JsonObject } from '../../src/records/fields.ts';
import { setBounded } from '../bounded-map.ts';
import { encryptEntry } from './encrypted-entry.ts';
import type { RedisCommands } from './redis-client.ts';
import type { RedisConnection } from './redis-connection.ts';

const MAX_PENDING = 5000;

interface PendingWrite {
  /** Undefined: the entry is removed. */
  readonly entry: JsonObject | undefined;
  /** Unix time in milliseconds. */
  readonly until: number;
}

/** Past events that Redis must still store, such as a declined action or a revoked sign-in. */
interface PendingWrites {
  get(key: string): PendingWrite | undefined;
  add(key: string, pendingWrite: PendingWrite): void;
  /** Forgets the write: Redis has stored something newer. */
  drop(key: string): void;
  /** Removes this value later: Redis may have stored a claim whose caller received an error. */
  revokeClaim(key: string, sealed: string): void;
  /** Writes all of it. Rejects if Redis does; the rest stays pending. */
  flush(redis: RedisCommands): Promise<void>;
}

export function createPendingWrites(getConnection: () => RedisConnection): PendingWrites {
  const writes = new Map<string, PendingWrite>();
  const claims = new Map<string, string>();

  async function write(redis: RedisCommands, key: string, { entry, until }: PendingWrite): Promise<void> {
    const name = getConnection().getKey('entry', key);
    const ttlMs = Math.ceil(until - Date.now());
    if (!entry || ttlMs <= 0) await redis.del(name);
    else await redis.set(name, await encryptEntry(getConnection().encryptor, { key, entry }), 'PX', ttlMs);
  }

  return {
    get: (key) => writes.get(key),
    add(key, pendingWrite) {
      writes.delete(key);
      setBounded(writes, MAX_PENDING, [key, pendingWrite]);
    },
    drop: (key) => void writes.delete(key),
    revokeClaim(key, sealed) {
      if (claims.size < MAX_PENDING) claims.set(key, sealed);
    },
    async flush(redis) {
      for (const [key, sealed] of claims) {
        await redis.docshareCompareAndSwap(getConnection().getKey('entry', key), sealed, '', 1);
        claims.delete(key);
      }
      for (const [key, pendingWrite] of writes) {
        await write(redis, key, pendingWrite);
        // A newer one may have replaced it in the meantime.
        if (writes.get(key) === pendingWrite) writes.delete(key);
      }
    },
  };
}
