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
/** So long may take what Redis has to be told when it is back. */
const REPLAY_TIMEOUT_MS = 5000;
const HEARTBEAT_INTERVAL_MS = 2000;
const RECONNECT_INTERVAL_MS = 250;
/** So long a Redis that was never met may keep silent before that is told. */
const INITIAL_CONNECT_TIMEOUT_MS = 5000;
/** A server that was not heard for so long has ended. */
const REPLICA_TIMEOUT_MS = 10_000;
/** A new Redis waits for so long for servers that know of another history. */
const NEW_REDIS_HOLD_MS = 2500;
/** One that was away waits for so long, at most, until all servers have told it what it missed. */
const REPLAY_HOLD_MS = 12_000;
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
  /** When it was last found to be away, by `steadyNow`; long ago where it never was asked. */
  lostAt(): number;
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
  /** Tells Redis what it can't know. @param all whether it may have lost what it was told before. */
  readonly onReconnect: (redis: RedisCommands, all: boolean) => Promise<void>;
  /** Asked every two seconds while it is there. */
  readonly onHeartbeat?: (redis: RedisCommands) => Promise<void>;
}

export async function openRedisConnection(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { secrets, onStatusChange, onReconnect, onHeartbeat } = options;
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
  let lostAt = Number.NEGATIVE_INFINITY;
  let knownHistory = { since: '', run: '' };
  let lastCode = NO_RESPONSE;
  const reportedCodes = new Set<string>();
  const openedAt = monotonicNow();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let wake = () => {};
  let encryptedSecrets = await encryptSecrets();
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
    if (wasUsable) {
      losses += 1;
      lostAt = monotonicNow();
    }
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

  /** One secret for all servers, sealed by every one of theirs: whoever comes first brings it. */
  async function adoptSharedSecret(): Promise<void> {
    const existing = (
      (await withTimeout(
        redis.commands.docshareShareSecrets(secretKeys.length, ...secretKeys, ...encryptedSecrets),
      )) as (string | null)[]
    ).map((one) => one ?? '');
    if (existing.join() === encryptedSecrets.join()) return;
    const opened = await Promise.all(existing.map((one) => secretEncryptor.decrypt(one)));
    const found = opened.find((one) => one !== undefined);
    if (found !== undefined) secret = Buffer.from(found, 'base64');
    encryptor = await createEncryptor([deriveKey(secret, 'entries')]);
    encryptedSecrets = await encryptSecrets();
    for (const [index, one] of opened.entries())
      if (one === undefined)
        await withTimeout(redis.commands.set(secretKeys[index] ?? '', encryptedSecrets[index] ?? ''));
      else encryptedSecrets[index] = existing[index] ?? '';
  }

  function encryptSecrets(): Promise<string[]> {
    return Promise.all(secrets.map(() => secretEncryptor.encrypt(secret.toString('base64'))));
  }

  /**
   * Redis counts as up only when all of this has worked: what is told to be up before its last step flaps for ever where
   * that one fails. A loss meanwhile, found by whoever asked, makes all of it void.
   */
  async function joinReplicas(): Promise<void> {
    const lossesBefore = losses;
    const wasUp = up;
    await adoptSharedSecret();
    const names = ['since', 'run', 'settle', 'replicas', 'telling', 'expected', 'tried'];
    const durations = [REPLICA_TIMEOUT_MS, options.holdMs, NEW_REDIS_HOLD_MS];
    const wasAway = hasConnected && !wasUp ? '1' : '';
    const wasFull = !wasUp && lastCode === 'OOM' ? '1' : '';
    const reply = await withTimeout(
      redis.commands.docshareJoin(
        ...names.map((name) => getKey(name)),
        ...[self, ...durations, knownHistory.since, wasAway, REPLAY_HOLD_MS, wasFull],
      ),
    );
    const [count, holdMs, since, run] = reply as unknown[];
    const found = { since: String(since), run: String(run) };
    heldUntil = monotonicNow() + Number(holdMs);
    replicas = Math.max(1, Number(count));
    const isOtherHistory = knownHistory.since !== found.since || knownHistory.run !== found.run;
    if (!wasUp || isOtherHistory)
      await withTimeout(onReconnect(redis.commands, isOtherHistory), REPLAY_TIMEOUT_MS);
    knownHistory = found;
    if (losses !== lossesBefore) return;
    isUsable = true;
    // What started meanwhile by this server's own share.
    if (!wasUp) await withTimeout(onReconnect(redis.commands, false), REPLAY_TIMEOUT_MS);
    await withTimeout(redis.commands.docshareReplayed(getKey('telling'), getKey('expected'), self));
    await withTimeout(onHeartbeat?.(redis.commands) ?? Promise.resolve(), REPLAY_TIMEOUT_MS);
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
    lostAt: () => lostAt,
    reportHistoryLost: () => wake(),
    async close() {
      closed = true;
      wake();
      const names = ['replicas', 'telling', 'expected'];
      if (isUsable)
        await withTimeout(redis.commands.docshareLeave(...names.map((name) => getKey(name)), self)).catch(
          () => undefined,
        );
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
