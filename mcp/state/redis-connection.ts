import { randomBytes } from 'node:crypto';
import { monotonicNow } from '../../src/timer.ts';
import { hmacHash } from '../canonical-json.ts';
import { createEncryptor, deriveKey, type Encryptor } from './encryptor.ts';
import { createRedisClient, type RedisCommands } from './redis-client.ts';
import type { RedisConfig } from './redis-config.ts';
import { getRedisErrorCode, NO_RESPONSE } from './redis-error-code.ts';
import { type StateStatus, StateUnavailableError } from './shared-state.ts';

/** A lost answer is not waited for: the slack of the limit's window is 900 ms. */
const COMMAND_TIMEOUT_MS = 600;
const FLUSH_TIMEOUT_MS = 5000;
const HEARTBEAT_INTERVAL_MS = 2000;
const RECONNECT_INTERVAL_MS = 250;
/** So long a Redis that was never met may keep silent before that is told. */
const INITIAL_CONNECT_TIMEOUT_MS = 5000;
/** A server that was not heard for so long has ended. */
const REPLICA_TIMEOUT_MS = 10_000;
/** A new Redis waits for so long for servers that know of another history. */
const NEW_REDIS_HOLD_MS = 2500;
/** How many servers share the limit where none was ever heard of. */
const DEFAULT_REPLICAS = 4;
/** All keys in one slot, as a script in a cluster asks for. */
const KEY_PREFIX = 'docshare:{state}:';

/** The connection to a Redis that may come and go, and what all servers there agree on. */
export interface RedisConnection {
  /** Runs a command. @throws StateAwayError where Redis can't be reached, keeps silent, or refuses. */
  runCommand<Result>(command: (redis: RedisCommands) => Promise<Result>): Promise<Result>;
  /** The key under which something stands in Redis: a hash, which says nothing. */
  getKey(kind: string, name?: string): string;
  readonly secret: Buffer;
  /** Seals what stands there. */
  readonly encryptor: Encryptor;
  /** Whether Redis is asked now: a little before its condition is up, so that nothing more starts here unknown to it. */
  isAvailable(): boolean;
  getStatus(): StateStatus;
  /** When it last came back, by `steadyNow`; long ago if it was never lost. */
  backAt(): number;
  /** Redis has turned out to have lost its history. */
  reportHistoryLost(): void;
  close(): Promise<void>;
}

export interface RedisConnectionOptions {
  readonly address: RedisConfig;
  /** The first seals, all open. */
  readonly secrets: readonly [Buffer, ...Buffer[]];
  /** There are at least so many servers. */
  readonly replicas?: number;
  /** So long a Redis that lost its history holds all starts: a window of the limit. */
  readonly holdMs: number;
  /** Told of each change, with the code of what is wrong; while it stays away, once of each other code. */
  readonly onStatusChange?: (status: StateStatus, code?: string) => void;
  /** Called when Redis answers again, and every two seconds after that: writes what is still pending. */
  readonly onUp: (redis: RedisCommands) => Promise<void>;
}

export async function openRedisConnection(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { secrets, onStatusChange, onUp } = options;
  const self = randomBytes(6).toString('base64url');
  const secretEncryptor = await createEncryptor(secrets.map((secret) => deriveKey(secret, 'born')));
  const secretKeys = secrets.map((secret) => KEY_PREFIX + hmacHash(deriveKey(secret, 'born key'), 'born'));
  let secret = deriveKey(secrets[0], 'state');
  let encryptor = await createEncryptor([deriveKey(secret, 'entries')]);
  let isUsable = false;
  let up = false;
  /** How often it was found to be away while it was asked. */
  let losses = 0;
  let hasConnected = false;
  let replicas = DEFAULT_REPLICAS;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let backAt = Number.NEGATIVE_INFINITY;
  let knownSince = '';
  let lastCode = NO_RESPONSE;
  const reportedCodes = new Set<string>();
  const openedAt = monotonicNow();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let wake = () => {};
  let agreed: readonly string[] = [];
  const redis = await createRedisClient(options.address, {
    error: (error) => {
      lastCode = getRedisErrorCode(error) ?? lastCode;
      if (!up) reportUnavailable();
    },
    ready: () => wake(),
  });

  const getKey = (kind: string, name = '') => KEY_PREFIX + hmacHash(secret, `${kind}\n${name}`);
  const getStatus = (): StateStatus => ({
    backend: 'redis',
    up,
    hasConnected,
    replicas: Math.max(replicas, options.replicas ?? 1),
    holdMs: Math.max(0, heldUntil - monotonicNow()),
  });

  function markUnavailable(error: unknown): void {
    lastCode = getRedisErrorCode(error) ?? lastCode;
    if (closed) return;
    const wasUsable = isUsable;
    isUsable = false;
    up = false;
    if (wasUsable) losses += 1;
    reportUnavailable();
    if (wasUsable) wake();
  }

  function reportUnavailable(): void {
    // At first it is just being connected to.
    const isEarly =
      !hasConnected && lastCode === NO_RESPONSE && monotonicNow() - openedAt < INITIAL_CONNECT_TIMEOUT_MS;
    if (closed || isEarly || reportedCodes.has(lastCode)) return;
    reportedCodes.add(lastCode);
    onStatusChange?.(getStatus(), lastCode);
  }

  /**
   * All servers use one secret, stored sealed under each of their own secrets. A Redis without one gets a new one, so
   * that after a loss of its data no confirmation from before can be used a second time.
   */
  async function adoptSharedSecret(): Promise<void> {
    const fresh = randomBytes(32);
    const offered = await sealForAll(fresh);
    const reply = await withTimeout(
      redis.commands.docshareShareSecrets(secretKeys.length, ...secretKeys, ...offered),
    );
    const stored = (reply as (string | null)[]).map((one) => one ?? '');
    if (stored.join() === agreed.join()) return;
    const opened = await Promise.all(stored.map((one) => secretEncryptor.decrypt(one)));
    const found = opened.find((one) => one !== undefined);
    if (found !== undefined) secret = Buffer.from(found, 'base64');
    encryptor = await createEncryptor([deriveKey(secret, 'entries')]);
    const missing = await sealForAll(secret);
    for (const [index, one] of opened.entries()) {
      if (one !== undefined) continue;
      stored[index] = missing[index] ?? '';
      await withTimeout(redis.commands.set(secretKeys[index] ?? '', stored[index]));
    }
    agreed = stored;
  }

  function sealForAll(shared: Buffer): Promise<string[]> {
    return Promise.all(secrets.map(() => secretEncryptor.encrypt(shared.toString('base64'))));
  }

  /** Redis counts as up only after all of this succeeded, and nobody found it away in the meantime. */
  async function joinReplicas(): Promise<void> {
    const lossesBefore = losses;
    const wasUp = up;
    await adoptSharedSecret();
    const keys = ['since', 'settle', 'replicas', 'tried'].map((name) => getKey(name));
    const wasFull = !wasUp && lastCode === 'OOM' ? '1' : '';
    const durations = [REPLICA_TIMEOUT_MS, options.holdMs, NEW_REDIS_HOLD_MS];
    const reply = await withTimeout(
      redis.commands.docshareJoin(...keys, self, ...durations, knownSince, wasFull),
    );
    const [count, holdMs, since] = reply as unknown[];
    const isOtherHistory = knownSince !== String(since);
    heldUntil = monotonicNow() + Number(holdMs);
    replicas = Math.max(1, Number(count));
    knownSince = String(since);
    if (losses !== lossesBefore) return;
    if (!isUsable && losses > 0) backAt = monotonicNow();
    isUsable = true;
    await withTimeout(onUp(redis.commands), FLUSH_TIMEOUT_MS);
    if (losses !== lossesBefore) return;
    up = true;
    hasConnected = true;
    lastCode = NO_RESPONSE;
    reportedCodes.clear();
    if (!wasUp || isOtherHistory) onStatusChange?.(getStatus());
  }

  async function runHeartbeat(): Promise<void> {
    while (!closed) {
      await joinReplicas().catch(markUnavailable);
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, up ? HEARTBEAT_INTERVAL_MS : RECONNECT_INTERVAL_MS);
        timer.unref();
      });
      clearTimeout(timer);
    }
  }
  void runHeartbeat();

  return {
    getKey,
    get secret() {
      return secret;
    },
    get encryptor() {
      return encryptor;
    },
    async runCommand(command) {
      if (!isUsable) throw new StateUnavailableError();
      try {
        return await withTimeout(command(redis.commands));
      } catch (error) {
        markUnavailable(error);
        throw new StateUnavailableError();
      }
    },
    isAvailable: () => isUsable,
    getStatus,
    backAt: () => backAt,
    reportHistoryLost: () => wake(),
    async close() {
      closed = true;
      wake();
      if (isUsable) await withTimeout(redis.commands.zrem(getKey('replicas'), self)).catch(() => undefined);
      redis.disconnect();
    },
  };
}

/**
 * Rejects where Redis keeps silent; what it does later is not heard any more. An answer that has come counts, though this
 * process stood still until its time was up: Node runs timers before it reads.
 */
function withTimeout<Result>(promise: Promise<Result>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
