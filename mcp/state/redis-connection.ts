import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RATE_LIMIT } from '../../src/assumptions/index.ts';
import { monotonicNow } from '../../src/timer.ts';
import { computeHmac } from '../canonical-json.ts';
import { createEncryptor, deriveKey, type Encryptor } from './encryptor.ts';
import { createRedisClient, type RedisCommands } from './redis-client.ts';
import type { RedisConfig } from './redis-config.ts';
import { getRedisErrorCode, NO_RESPONSE } from './redis-error-code.ts';
import { type StateStatus, StateUnavailableError } from './shared-state.ts';

/** Must stay below the slack of the rate limit's window (900 ms). */
const COMMAND_TIMEOUT_MS = 600;
/** After a loss, repeatable commands wait this long for Redis: often only this process or the network had stalled. */
const LOSS_GRACE_MS = 1500;
const FLUSH_TIMEOUT_MS = 5000;
const HEARTBEAT_INTERVAL_MS = 2000;
const RECONNECT_INTERVAL_MS = 250;
/** Grace period before an unreachable Redis is reported at startup. */
const INITIAL_CONNECT_TIMEOUT_MS = 5000;
/** A server without a heartbeat for this long has ended. */
const REPLICA_TIMEOUT_MS = 10_000;
/** A new Redis waits this long for servers that know another history. */
const NEW_REDIS_HOLD_MS = 2500;
/** Assumed number of servers before any was heard. */
const DEFAULT_REPLICAS = 4;
/** One hash slot for all keys, which scripts in a cluster require. */
const KEY_PREFIX = 'docshare:{state}:';

/** Connection to a Redis that may become unavailable, with the state agreed on by all servers. */
export interface RedisConnection {
  /** Runs a command. @throws StateUnavailableError if Redis is unreachable, does not respond, or rejects it. */
  runCommand<Result>(command: (redis: RedisCommands) => Promise<Result>): Promise<Result>;
  /** Runs a command that may run twice, and once more if Redis was lost a moment ago. */
  runRepeatable<Result>(command: (redis: RedisCommands) => Promise<Result>): Promise<Result>;
  /** Returns the hashed key of an entry in Redis. */
  getKey(kind: string, name?: string): string;
  readonly secret: Buffer;
  /** Encrypts entries. */
  readonly encryptor: Encryptor;
  /**
   * Returns whether commands are sent: slightly before the status is up, so that Redis knows all that starts here.
   */
  isAvailable(): boolean;
  getStatus(): StateStatus;
  /** Monotonic time at which Redis last came back; -Infinity if it was never lost. */
  backAt(): number;
  /** Reports that Redis lost its history. */
  reportHistoryLost(): void;
  close(): Promise<void>;
}

export interface RedisConnectionOptions {
  readonly address: RedisConfig;
  /** The first encrypts, all decrypt. */
  readonly secrets: readonly [string, ...string[]];
  /** Minimum number of servers; default: those that were heard. */
  readonly replicas?: number | undefined;
  /** How long requests are held after Redis lost its history; default: one window of the rate limit. */
  readonly holdMs?: number | undefined;
  /** Called on each change, with an error code; once per code while Redis is unavailable. */
  readonly onStatusChange?: (status: StateStatus, code?: string) => void;
  /** Called when Redis is back, and then every two seconds, to write pending entries. */
  readonly onUp: (redis: RedisCommands) => Promise<void>;
}

export async function openRedisConnection(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { secrets, holdMs = RATE_LIMIT.windowMs, onStatusChange, onUp } = options;
  const self = randomBytes(6).toString('base64url');
  const secretEncryptor = await createEncryptor(secrets.map((secret) => deriveKey(secret, 'born')));
  const secretKeys = secrets.map((secret) => KEY_PREFIX + computeHmac(deriveKey(secret, 'born key'), 'born'));
  let secret = deriveKey(secrets[0], 'state');
  let encryptor = await createEncryptor([deriveKey(secret, 'entries')]);
  let isUsable = false;
  let up = false;
  /** Number of times it was found unavailable. */
  let losses = 0;
  let lostAt = Number.NEGATIVE_INFINITY;
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

  const getKey = (kind: string, name = '') => KEY_PREFIX + computeHmac(secret, `${kind}\n${name}`);
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
    if (wasUsable) {
      losses += 1;
      lostAt = monotonicNow();
    }
    reportUnavailable();
    if (wasUsable) wake();
  }

  function reportUnavailable(): void {
    const isEarly = !hasConnected && lastCode === NO_RESPONSE && monotonicNow() - openedAt < INITIAL_CONNECT_TIMEOUT_MS;
    if (closed || isEarly || reportedCodes.has(lastCode)) return;
    reportedCodes.add(lastCode);
    onStatusChange?.(getStatus(), lastCode);
  }

  /**
   * All servers use one secret, stored encrypted with each server's secrets. An empty Redis gets a new
   * one, so that no confirmation from before a data loss can be used twice.
   */
  async function adoptSharedSecret(): Promise<void> {
    const fresh = randomBytes(32);
    const offered = await encryptForAll(fresh);
    const reply = await withTimeout(redis.commands.docshareShareSecrets(secretKeys.length, ...secretKeys, ...offered));
    const stored = (reply as (string | null)[]).map((value) => value ?? '');
    if (stored.join() === agreed.join()) return;
    const opened = await Promise.all(stored.map((value) => secretEncryptor.decrypt(value)));
    const found = opened.find((value) => value !== undefined);
    if (found !== undefined) secret = Buffer.from(found, 'base64');
    encryptor = await createEncryptor([deriveKey(secret, 'entries')]);
    const missing = await encryptForAll(secret);
    for (const [index, value] of opened.entries()) {
      if (value !== undefined) continue;
      stored[index] = missing[index] ?? '';
      await withTimeout(redis.commands.set(secretKeys[index] ?? '', stored[index]));
    }
    agreed = stored;
  }

  function encryptForAll(shared: Buffer): Promise<string[]> {
    return Promise.all(secrets.map(() => secretEncryptor.encrypt(shared.toString('base64'))));
  }

  /** Redis is up only after all of this succeeded, unless it was found unavailable meanwhile. */
  async function joinReplicas(): Promise<void> {
    const lossesBefore = losses;
    const wasUp = up;
    await adoptSharedSecret();
    const keys = ['since', 'settle', 'replicas', 'tried'].map((name) => getKey(name));
    const wasFull = !wasUp && lastCode === 'OOM' ? '1' : '';
    const durations = [REPLICA_TIMEOUT_MS, holdMs, NEW_REDIS_HOLD_MS];
    const reply = await withTimeout(redis.commands.docshareJoin(...keys, self, ...durations, knownSince, wasFull));
    const [count, heldMs, since] = reply as unknown[];
    const isOtherHistory = knownSince !== String(since);
    heldUntil = monotonicNow() + Number(heldMs);
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

  async function runCommand<Result>(command: (redis: RedisCommands) => Promise<Result>): Promise<Result> {
    if (!isUsable) throw new StateUnavailableError();
    try {
      return await withTimeout(command(redis.commands));
    } catch (error) {
      markUnavailable(error);
      throw new StateUnavailableError();
    }
  }

  return {
    getKey,
    get secret() {
      return secret;
    },
    get encryptor() {
      return encryptor;
    },
    runCommand,
    async runRepeatable(command) {
      try {
        return await runCommand(command);
      } catch (error) {
        while (!isUsable && !closed && monotonicNow() - lostAt < LOSS_GRACE_MS) await sleep(50);
        if (!isUsable) throw error;
        return runCommand(command);
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
 * Rejects if Redis does not respond in time. A response that has arrived counts even if this process was
 * blocked until the timeout: Node runs timers before it reads.
 */
function withTimeout<Result>(promise: Promise<Result>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
