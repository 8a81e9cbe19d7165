import type { LimitRequest, LimitStore } from '../../src/index.ts';
import { MAX_PAUSE_MS } from '../../src/retry/retry-after.ts';
import { monotonicNow } from '../../src/timer.ts';
import { createLocalQuota } from './local-quota.ts';
import type { RedisConnection } from './redis-connection.ts';
import { StateUnavailableError } from './shared-state.ts';

/**
 * A reservation that takes longer than this has a wrong time: it is made again, once. On a connection that is always so
 * slow the second one counts: the caller renews what is too early (see `createStarts`).
 */
const STALE_MS = 300;
/** Replicas that wait for the same request to end should not all ask in the same millisecond. */
const JITTER_MS = 25;
const LOST_WAIT_MS = 100;

/**
 * The rate limit that all replicas share, in one step by Redis's own clock. While Redis is away, and for one window
 * after it, each replica keeps to limit ÷ replicas of its own requests. Never throws.
 */
export function createRedisRateLimit(link: () => RedisConnection): LimitStore {
  const quota = createLocalQuota();

  async function takeShared(request: LimitRequest, again: '' | '1' = ''): Promise<number> {
    const { getKey, runCommand } = link();
    const { id, requests, windowMs, start } = request;
    const keys = [getKey('starts', id), getKey('held', id), getKey('settle'), getKey('since')];
    const askedAt = monotonicNow();
    const waitMs = await runCommand((redis) => redis.docshareTake(...keys, requests, windowMs, start, again));
    if (typeof waitMs !== 'number') throw new StateUnavailableError();
    if (waitMs < 0) {
      link().reportHistoryLost();
      return LOST_WAIT_MS;
    }
    if (waitMs > 0) return waitMs + Math.random() * JITTER_MS;
    return again === '' && monotonicNow() - askedAt > STALE_MS ? takeShared(request, '1') : 0;
  }

  /** Redis does not know what started while it was away. */
  function needsQuota(windowMs: number): boolean {
    return !link().isAvailable() || monotonicNow() - link().backAt() < windowMs;
  }

  function takeAlone(request: LimitRequest): number {
    const waitMs = quota.waitMs(request, link().getStatus().replicas);
    if (waitMs === 0) quota.add(request);
    return waitMs;
  }

  return {
    async take(request) {
      if (needsQuota(request.windowMs)) {
        const waitMs = takeAlone(request);
        if (waitMs > 0 || !link().isAvailable()) return waitMs;
      } else quota.add(request);
      try {
        const waitMs = await takeShared(request);
        if (waitMs > 0) quota.remove(request);
        return waitMs;
      } catch (error) {
        if (!(error instanceof StateUnavailableError)) throw error;
        quota.remove(request);
        return takeAlone(request);
      }
    },
    async renew(request) {
      const { id, windowMs, start } = request;
      quota.add(request);
      await link()
        .runCommand((redis) => redis.docshareRenew(link().getKey('starts', id), windowMs, start))
        .catch(() => undefined);
    },
    async pause(id, until) {
      // Redis takes no infinite number.
      const ms = Math.min(Math.ceil(until - Date.now()), MAX_PAUSE_MS);
      if (!(ms > 0)) return;
      await link()
        .runCommand((redis) => redis.docshareHold(link().getKey('held', id), ms))
        .catch(() => undefined);
    },
  };
}
