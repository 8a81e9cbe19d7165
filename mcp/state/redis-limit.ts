import type { LimitRequest, LimitStore } from '../../src/index.ts';
import { steadyNow } from '../../src/timer.ts';
import type { RedisCommands } from './open-redis.ts';
import { createOwnShares, type OwnStart } from './own-share.ts';
import type { RedisLink } from './redis-link.ts';
import { StateAwayError } from './shared-state.ts';

/** A booking that came back later than this stands at a wrong time: it is taken back and made anew. */
const STALE_MS = 300;
/** Servers that wait for the same start to end should not all ask in the same millisecond. */
const JITTER_MS = 25;
const LOST_WAIT_MS = 100;
/** As many starts a command: an argument list of a few kilobytes. */
const CHUNK = 100;

export interface RedisLimit extends LimitStore {
  /** Hears how much of each limit is used: what it is told at its own starts grows old. */
  listen(redis: RedisCommands): Promise<void>;
  /** Books the starts that Redis was not told of (or all, where it may have forgotten them), and the pauses. */
  retell(redis: RedisCommands, all: boolean): Promise<void>;
}

/**
 * The limit of all servers together, in one step on Redis's own clock. While Redis is away, each server keeps its share
 * of it. Neither ever throws.
 */
export function createRedisLimit(link: () => RedisLink): RedisLimit {
  const shares = createOwnShares();
  const pauses = new Map<string, number>();

  async function takeShared(request: LimitRequest): Promise<number> {
    const { keyOf, ask } = link();
    const { id, requests, windowMs, start } = request;
    const keys = [
      ...[keyOf('starts', id), keyOf('held', id), keyOf('settle'), keyOf('since')],
      keyOf('telling'),
    ];
    for (let isStale = false; ; isStale = true) {
      const askedAt = steadyNow();
      const reply = await ask((redis) =>
        redis.docshareTake(...keys, requests, windowMs, start, isStale ? '1' : ''),
      );
      const [waitMs = 0, inAll = 0] = (reply as unknown[]).map(Number);
      if (waitMs < 0) {
        link().lost();
        return LOST_WAIT_MS;
      }
      if (waitMs > 0) {
        if (inAll > 0) shares.heard(request, inAll);
        return waitMs + Math.random() * JITTER_MS;
      }
      if (steadyNow() - askedAt <= STALE_MS) {
        shares.booked(request, inAll);
        return 0;
      }
    }
  }

  return {
    async take(request) {
      try {
        if (link().isUp()) return await takeShared(request);
      } catch (error) {
        if (!(error instanceof StateAwayError)) throw error;
      }
      const { replicas } = link().condition();
      return shares.takeAlone(request, { replicas, lostAt: link().lostAt() });
    },
    async renew(request) {
      const { id, windowMs, start } = request;
      const told = shares.renew(request);
      await link()
        .ask((redis) => redis.docshareRebook(link().keyOf('starts', id), windowMs, 0, start))
        .then(told, () => undefined);
    },
    async pause(id, until) {
      const ms = Math.ceil(until - Date.now());
      if (!(ms > 0)) return;
      pauses.set(id, steadyNow() + ms);
      await link()
        .ask((redis) => redis.docshareHold(link().keyOf('held', id), ms))
        .catch(() => undefined);
    },
    async listen(redis) {
      const { keyOf } = link();
      const all = [...shares.inUse()];
      for (let from = 0; from < all.length; from += CHUNK)
        await Promise.all(
          all.slice(from, from + CHUNK).map(async (request) => {
            const inAll = Number(await redis.zcard(keyOf('starts', request.id)));
            shares.overheard(request, inAll);
          }),
        );
    },
    async retell(redis, all) {
      const { keyOf } = link();
      const now = steadyNow();
      for (const [id, { windowMs, starts }] of shares.recent()) {
        const told = starts.filter((start) => all || !start.told);
        for (let from = 0; from < told.length; from += CHUNK)
          await redis.docshareRebook(
            keyOf('starts', id),
            windowMs,
            ...told.slice(from, from + CHUNK).flatMap(({ at, start }: OwnStart) => [now - at, start]),
          );
        for (const start of told) start.told = true;
      }
      for (const [id, until] of pauses)
        if (until > now) await redis.docshareHold(keyOf('held', id), until - now);
        else pauses.delete(id);
    },
  };
}
