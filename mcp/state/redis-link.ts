import { randomBytes } from 'node:crypto';
import { monotonicNow } from '../../src/timer.ts';
import { hmacHash } from '../canonical.ts';
import { openRedis, type RedisCommands } from './open-redis.ts';
import type { RedisAddress } from './redis-address.ts';
import { getRedisErrorCode, NO_ANSWER } from './redis-code.ts';
import { createSeal, keyFor, type Seal } from './seal.ts';
import { type Condition, StateAwayError } from './shared-state.ts';

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
const NEVER_MET = 4;
/** All keys in one slot, as a script in a cluster asks for. */
const SLOT = 'docshare:{state}:';

/** The connection to a Redis that may come and go, and what all servers there agree on. */
export interface RedisLink {
  /** Runs a command. @throws StateAwayError where Redis can't be reached, keeps silent, or refuses. */
  ask<Result>(act: (redis: RedisCommands) => Promise<Result>): Promise<Result>;
  /** The key under which something stands in Redis: a hash, which says nothing. */
  getKey(kind: string, name?: string): string;
  readonly secret: Buffer;
  /** Seals what stands there. */
  readonly seal: Seal;
  /** Whether Redis is asked now: a little before its condition is up, so that nothing more starts here unknown to it. */
  isUp(): boolean;
  condition(): Condition;
  /** When it was last found to be away, by `steadyNow`; long ago where it never was asked. */
  lostAt(): number;
  /** Redis has turned out to have lost its history. */
  lost(): void;
  close(): Promise<void>;
}

export interface RedisLinkOptions {
  readonly address: RedisAddress;
  /** The first seals, all open. */
  readonly secrets: readonly [Buffer, ...Buffer[]];
  /** There are at least so many servers. */
  readonly replicas?: number;
  /** So long a Redis that lost its history holds all starts: a window of the limit. */
  readonly holdMs: number;
  /** Told of each change, with the code of what is wrong; while it stays away, once of each other code. */
  readonly onCondition?: (condition: Condition, code?: string) => void;
  /** Tells Redis what it can't know. @param all whether it may have lost what it was told before. */
  readonly onReturn: (redis: RedisCommands, all: boolean) => Promise<void>;
  /** Asked every two seconds while it is there. */
  readonly onBeat?: (redis: RedisCommands) => Promise<void>;
}

export async function openRedisLink(options: RedisLinkOptions): Promise<RedisLink> {
  const { secrets, onCondition, onReturn, onBeat } = options;
  const self = randomBytes(6).toString('base64url');
  const bornSeal = await createSeal(secrets.map((secret) => keyFor(secret, 'born')));
  const bornKeys = secrets.map((secret) => SLOT + hmacHash(keyFor(secret, 'born key'), 'born'));
  let secret = keyFor(secrets[0], 'state');
  let seal = await createSeal([keyFor(secret, 'entries')]);
  let isAsked = false;
  let up = false;
  /** How often it was found to be away while it was asked. */
  let losses = 0;
  let met = false;
  let replicas = NEVER_MET;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let lostAt = Number.NEGATIVE_INFINITY;
  let known = { since: '', run: '' };
  let lastCode = NO_ANSWER;
  const toldCodes = new Set<string>();
  const openedAt = monotonicNow();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let wake = () => {};
  let born = await bornWords();
  const redis = await openRedis(options.address, {
    error: (error) => {
      lastCode = getRedisErrorCode(error) ?? lastCode;
      if (!up) tellAway();
    },
    ready: () => wake(),
  });

  const getKey = (kind: string, name = '') => SLOT + hmacHash(secret, `${kind}\n${name}`);
  const condition = (): Condition => ({
    carrier: 'redis',
    up,
    met,
    replicas: Math.max(replicas, options.replicas ?? 1),
    holdMs: Math.max(0, heldUntil - monotonicNow()),
  });

  function down(error: unknown): void {
    lastCode = getRedisErrorCode(error) ?? lastCode;
    if (closed) return;
    const isNews = isAsked;
    isAsked = false;
    up = false;
    if (isNews) {
      losses += 1;
      lostAt = monotonicNow();
    }
    tellAway();
    if (isNews) wake();
  }

  function tellAway(): void {
    // At first it is just being connected to.
    const isEarly = !met && lastCode === NO_ANSWER && monotonicNow() - openedAt < INITIAL_CONNECT_TIMEOUT_MS;
    if (closed || isEarly || toldCodes.has(lastCode)) return;
    toldCodes.add(lastCode);
    onCondition?.(condition(), lastCode);
  }

  /** One secret for all servers, sealed by every one of theirs: whoever comes first brings it. */
  async function agreeOnSecret(): Promise<void> {
    const standing = (
      (await soon(redis.commands.docshareBear(bornKeys.length, ...bornKeys, ...born))) as (string | null)[]
    ).map((one) => one ?? '');
    if (standing.join() === born.join()) return;
    const opened = await Promise.all(standing.map((one) => bornSeal.open(one)));
    const found = opened.find((one) => one !== undefined);
    if (found !== undefined) secret = Buffer.from(found, 'base64');
    seal = await createSeal([keyFor(secret, 'entries')]);
    born = await bornWords();
    for (const [index, one] of opened.entries())
      if (one === undefined) await soon(redis.commands.set(bornKeys[index] ?? '', born[index] ?? ''));
      else born[index] = standing[index] ?? '';
  }

  function bornWords(): Promise<string[]> {
    return Promise.all(secrets.map(() => bornSeal.seal(secret.toString('base64'))));
  }

  /**
   * Redis counts as up only when all of this has worked: what is told to be up before its last step flaps for ever where
   * that one fails. A loss meanwhile, found by whoever asked, makes all of it void.
   */
  async function arrive(): Promise<void> {
    const lossesBefore = losses;
    const wasUp = up;
    await agreeOnSecret();
    const names = ['since', 'run', 'settle', 'replicas', 'telling', 'expected', 'tried'];
    const bounds = [REPLICA_TIMEOUT_MS, options.holdMs, NEW_REDIS_HOLD_MS];
    const wasAway = met && !wasUp ? '1' : '';
    const wasFull = !wasUp && lastCode === 'OOM' ? '1' : '';
    const reply = await soon(
      redis.commands.docshareArrive(
        ...names.map((name) => getKey(name)),
        ...[self, ...bounds, known.since, wasAway, REPLAY_HOLD_MS, wasFull],
      ),
    );
    const [count, holdMs, since, run] = reply as unknown[];
    const found = { since: String(since), run: String(run) };
    heldUntil = monotonicNow() + Number(holdMs);
    replicas = Math.max(1, Number(count));
    const isOther = known.since !== found.since || known.run !== found.run;
    if (!wasUp || isOther) await soon(onReturn(redis.commands, isOther), REPLAY_TIMEOUT_MS);
    known = found;
    if (losses !== lossesBefore) return;
    isAsked = true;
    // What started meanwhile by this server's own share.
    if (!wasUp) await soon(onReturn(redis.commands, false), REPLAY_TIMEOUT_MS);
    await soon(redis.commands.docshareTold(getKey('telling'), getKey('expected'), self));
    await soon(onBeat?.(redis.commands) ?? Promise.resolve(), REPLAY_TIMEOUT_MS);
    if (losses !== lossesBefore) return;
    up = true;
    met = true;
    lastCode = NO_ANSWER;
    toldCodes.clear();
    if (!wasUp || isOther) onCondition?.(condition());
  }

  async function keepInTouch(): Promise<void> {
    while (!closed) {
      await arrive().catch(down);
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, up ? HEARTBEAT_INTERVAL_MS : RECONNECT_INTERVAL_MS);
        timer.unref();
      });
      clearTimeout(timer);
    }
  }
  void keepInTouch();

  return {
    getKey,
    get secret() {
      return secret;
    },
    get seal() {
      return seal;
    },
    async ask(act) {
      if (!isAsked) throw new StateAwayError();
      try {
        return await soon(act(redis.commands));
      } catch (error) {
        down(error);
        throw new StateAwayError();
      }
    },
    isUp: () => isAsked,
    condition,
    lostAt: () => lostAt,
    lost: () => wake(),
    async close() {
      closed = true;
      wake();
      const names = ['replicas', 'telling', 'expected'];
      if (isAsked)
        await soon(redis.commands.docshareLeave(...names.map((name) => getKey(name)), self)).catch(
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
function soon<Result>(promise: Promise<Result>, ms = COMMAND_TIMEOUT_MS): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(() => setImmediate(giveUp), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
