import type { JsonObject } from '../../src/records/fields.ts';
import { encryptEntry } from './encrypted-entry.ts';
import type { RedisCommands } from './redis-client.ts';
import type { RedisConnection } from './redis-connection.ts';

/** What is kept for a Redis that comes back with less than it had: this server's own writes that end soon. */
const KEPT_MS = 11 * 60_000;
const MOST_KEPT = 5000;
/** And what has happened for good, such as the end of a sign-in, which is a name and little else. */
const MOST_NOTES = 10_000;
const NOTE_BYTES = 64;
const TOLD_AT_ONCE = 100;
const MOST_BYTES = 16 * 1024 * 1024;

interface Written {
  /** Undefined: removed. */
  readonly entry: JsonObject | undefined;
  readonly until: number;
}

/** What Redis has to be told again, or late. */
export interface ReplayQueue {
  /** Notes what Redis has taken; without a value, that it was removed. */
  recordWrite(key: string, written: Written | undefined): void;
  /** What may stand there although its writer was told that it does not. */
  queueUndo(key: string, sealed: string): void;
  /** What must be written, and is not yet. */
  getPending(key: string): Written | undefined;
  /** What must be written sooner or later. */
  queueWrite(key: string, written: Written): void;
  /** Writes what is owed. @throws StateAwayError where Redis is away. */
  flush(): Promise<void>;
  replay(redis: RedisCommands, all: boolean): Promise<void>;
}

export function createReplayQueue(options: { link: () => RedisConnection; now: () => number }): ReplayQueue {
  const { link, now } = options;
  const kept = new Map<string, { written: Written; bytes: number }>();
  const owed = new Map<string, Written>();
  const undone = new Map<string, string>();
  const lasting = new Map<string, Written>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
    lasting.delete(key);
  }

  /** What was noted and outlives the rest: the oldest gives way. */
  function keepNote(key: string, written: Written): void {
    forget(key);
    lasting.set(key, written);
    for (const [oldest, { until }] of lasting) {
      if (lasting.size <= MOST_NOTES && until > now()) break;
      lasting.delete(oldest);
    }
  }

  function keep(key: string, written: Written): void {
    forget(key);
    if (!written.entry || written.until - now() > KEPT_MS) return;
    const own = key.length + JSON.stringify(written.entry).length;
    kept.set(key, { written, bytes: own });
    bytes += own;
    for (const [oldest, { written: old }] of kept) {
      if (kept.size <= MOST_KEPT && bytes <= MOST_BYTES && old.until > now()) break;
      forget(oldest);
    }
  }

  async function write(redis: RedisCommands, key: string, { entry, until }: Written): Promise<void> {
    const name = link().getKey('entry', key);
    const ms = Math.ceil(until - now());
    if (!entry || ms <= 0) await redis.del(name);
    else await redis.set(name, await encryptEntry(link().encryptor, { key, entry }), 'PX', ms);
  }

  async function payTo(redis: RedisCommands): Promise<void> {
    for (const [key, written] of owed) {
      await write(redis, key, written);
      // It may have been overtaken by a newer one meanwhile.
      if (owed.get(key) === written) owed.delete(key);
      if (isLasting(written)) keepNote(key, written);
      else keep(key, written);
    }
  }

  async function tell(redis: RedisCommands, key: string, { entry, until }: Written): Promise<void> {
    const ms = Math.ceil(until - now());
    if (ms <= 0 || !entry) return;
    const sealed = await encryptEntry(link().encryptor, { key, entry });
    await redis.docsharePutIfAbsent(link().getKey('entry', key), sealed, ms);
  }

  async function tellAll(redis: RedisCommands): Promise<void> {
    const all = [...[...kept].map(([key, { written }]) => [key, written] as const), ...lasting];
    for (let from = 0; from < all.length; from += TOLD_AT_ONCE)
      await Promise.all(
        all.slice(from, from + TOLD_AT_ONCE).map(([key, written]) => tell(redis, key, written)),
      );
  }

  function isLasting({ entry, until }: Written): boolean {
    return entry !== undefined && until - now() > KEPT_MS && JSON.stringify(entry).length <= NOTE_BYTES;
  }

  return {
    getPending: (key) => owed.get(key),
    recordWrite(key, written) {
      owed.delete(key);
      if (written) keep(key, written);
      else forget(key);
    },
    queueUndo(key, sealed) {
      if (undone.size < MOST_KEPT) undone.set(key, sealed);
    },
    queueWrite(key, written) {
      owed.delete(key);
      owed.set(key, written);
      const [oldest] = owed.keys();
      if (owed.size > MOST_KEPT && oldest !== undefined) owed.delete(oldest);
    },
    flush: () => link().runCommand(payTo),
    async replay(redis, all) {
      for (const [key, sealed] of undone) {
        await redis.docshareCompareAndSwap(link().getKey('entry', key), sealed, '', 1);
        undone.delete(key);
      }
      if (all) await tellAll(redis);
      await payTo(redis);
    },
  };
}
