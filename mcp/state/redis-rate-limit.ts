import type { LimitRequest, LimitStore } from '../../src/index.ts';
import { MAX_PAUSE_MS } from '../../src/retry/retry-after.ts';
import { monotonicNow } from '../../src/timer.ts';
import { createLocalQuotas, type LocalStart } from './local-quota.ts';
import type { RedisCommands } from './redis-client.ts';
import type { RedisConnection } from './redis-connection.ts';
import { StateUnavailableError } from './shared-state.ts';

/**
 * A booking that came back later than this stands at a wrong time: it is taken back and made anew, once. On a road that is
 * always so slow the second one counts: whoever starts renews what stands there too early (see `createStarts`).
 */
const STALE_MS = 300;
/** Servers that wait for the same start to end should not all ask in the same millisecond. */
const JITTER_MS = 25;
const LOST_WAIT_MS = 100;
/** As many starts a command: an argument list of a few kilobytes. */
const CHUNK = 100;
/** As many limits at once on the road to Redis: one after the other, hundreds would take longer than there is. */
const AT_ONCE = 1000;
const SWEEP_MS = 10_000;

interface Told {
  readonly id: string;
  readonly windowMs: number;
  readonly starts: readonly LocalStart[];
}

export interface RedisRateLimit extends LimitStore {
  /** Hears how much of each limit is used: what it is told at its own starts grows old. */
  refreshUsage(redis: RedisCommands): Promise<void>;
  /** Books the starts that Redis was not told of (or all, where it may have forgotten them), and the pauses. */
  replay(redis: RedisCommands, all: boolean): Promise<void>;
}

/**
 * The limit of all servers together, in one step on Redis's own clock. While Redis is away, each server keeps its share
 * of it. Neither ever throws.
 */
export function createRedisRateLimit(link: () => RedisConnection): RedisRateLimit {
  const shares = createLocalQuotas();
  const pauses = new Map<string, number>();
  let sweptAt = monotonicNow();

  async function takeShared(request: LimitRequest, anew: '' | '1' = ''): Promise<number> {
    const { getKey, runCommand } = link();
    const { id, requests, windowMs, start } = request;
    const keys = [
      ...[getKey('starts', id), getKey('held', id), getKey('settle'), getKey('since')],
      getKey('telling'),
    ];
    const askedAt = monotonicNow();
    const reply = await runCommand((redis) => redis.docshareTake(...keys, requests, windowMs, start, anew));
    const [waitMs = Number.NaN, inAll = 0] = Array.isArray(reply) ? reply.map(Number) : [];
    // No answer of the script's.
    if (!Number.isFinite(waitMs)) throw new StateUnavailableError();
    if (waitMs < 0) {
      link().reportHistoryLost();
      return LOST_WAIT_MS;
    }
    if (waitMs > 0) {
      if (inAll > 0) shares.heard(request, inAll);
      return waitMs + Math.random() * JITTER_MS;
    }
    if (anew === '' && monotonicNow() - askedAt > STALE_MS) return takeShared(request, '1');
    shares.booked(request, inAll);
    return 0;
  }

  function notePause(id: string, until: number): void {
    const now = monotonicNow();
    if (now - sweptAt > SWEEP_MS) {
      sweptAt = now;
      for (const [other, end] of pauses) if (end <= now) pauses.delete(other);
    }
    // A later word that asks for less takes nothing back, here as in Redis.
    pauses.set(id, Math.max(until, pauses.get(id) ?? until));
  }

  async function retellOne(redis: RedisCommands, told: Told): Promise<void> {
    const { id, windowMs, starts } = told;
    const now = monotonicNow();
    for (let from = 0; from < starts.length; from += CHUNK)
      await redis.docshareRebook(
        link().getKey('starts', id),
        windowMs,
        ...starts.slice(from, from + CHUNK).flatMap(({ at, start }) => [now - at, start]),
      );
    for (const start of starts) start.told = true;
  }

  return {
    async take(request) {
      try {
        if (link().isAvailable()) return await takeShared(request);
      } catch (error) {
        if (!(error instanceof StateUnavailableError)) throw error;
      }
      const { replicas } = link().getStatus();
      return shares.takeAlone(request, { replicas, lostAt: link().lostAt() });
    },
    async renew(request) {
      const { id, windowMs, start } = request;
      const told = shares.renew(request);
      await link()
        .runCommand((redis) => redis.docshareRebook(link().getKey('starts', id), windowMs, 0, start))
        .then(told, () => undefined);
    },
    async pause(id, until) {
      // Redis takes no number without end.
      const ms = Math.min(Math.ceil(until - Date.now()), MAX_PAUSE_MS);
      if (!(ms > 0)) return;
      notePause(id, monotonicNow() + ms);
      await link()
        .runCommand((redis) => redis.docshareHold(link().getKey('held', id), ms))
        .catch(() => undefined);
    },
    async refreshUsage(redis) {
      await inBatches(shares.inUse(AT_ONCE), async (request) => {
        shares.overheard(request, Number(await redis.zcard(link().getKey('starts', request.id))));
      });
    },
    async replay(redis, all) {
      const now = monotonicNow();
      const untold = [...shares.recent()].map(([id, { windowMs, starts }]) => ({
        ...{ id, windowMs },
        starts: starts.filter((start) => all || !start.told),
      }));
      await inBatches(
        untold.filter(({ starts }) => starts.length > 0),
        (one) => retellOne(redis, one),
      );
      await inBatches([...pauses], async ([id, until]) => {
        if (until > now) await redis.docshareHold(link().getKey('held', id), Math.ceil(until - now));
        else pauses.delete(id);
      });
    },
  };
}

async function inBatches<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    await Promise.all(items.slice(from, from + AT_ONCE).map(act));
}
