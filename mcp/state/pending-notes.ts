import type { JsonObject } from '../../src/records/fields.ts';
import { setBounded } from '../bounded-map.ts';
import { encryptEntry } from './encrypted-entry.ts';
import type { RedisCommands } from './redis-client.ts';
import type { RedisConnection } from './redis-connection.ts';

const MAX_PENDING = 5000;

export interface Note {
  /** Undefined: the entry is removed. */
  readonly entry: JsonObject | undefined;
  /** Unix time in milliseconds. */
  readonly until: number;
}

/** Past events that Redis must still store, such as a declined action or a revoked sign-in. */
export interface PendingNotes {
  get(key: string): Note | undefined;
  add(key: string, note: Note): void;
  /** Forgets the note: Redis has stored something newer. */
  drop(key: string): void;
  /** Removes this value later: Redis may have stored a claim whose caller received an error. */
  revokeClaim(key: string, sealed: string): void;
  /** Writes all of it. Rejects if Redis does; the rest stays pending. */
  flush(redis: RedisCommands): Promise<void>;
}

export function createPendingNotes(options: { link: () => RedisConnection; now: () => number }): PendingNotes {
  const { link, now } = options;
  const notes = new Map<string, Note>();
  const claims = new Map<string, string>();

  async function write(redis: RedisCommands, key: string, { entry, until }: Note): Promise<void> {
    const name = link().getKey('entry', key);
    const ttlMs = Math.ceil(until - now());
    if (!entry || ttlMs <= 0) await redis.del(name);
    else await redis.set(name, await encryptEntry(link().encryptor, { key, entry }), 'PX', ttlMs);
  }

  return {
    get: (key) => notes.get(key),
    add(key, note) {
      notes.delete(key);
      setBounded(notes, MAX_PENDING, [key, note]);
    },
    drop: (key) => void notes.delete(key),
    revokeClaim(key, sealed) {
      if (claims.size < MAX_PENDING) claims.set(key, sealed);
    },
    async flush(redis) {
      for (const [key, sealed] of claims) {
        await redis.docshareCompareAndSwap(link().getKey('entry', key), sealed, '', 1);
        claims.delete(key);
      }
      for (const [key, note] of notes) {
        await write(redis, key, note);
        // A newer note may have replaced it in the meantime.
        if (notes.get(key) === note) notes.delete(key);
      }
    },
  };
}
