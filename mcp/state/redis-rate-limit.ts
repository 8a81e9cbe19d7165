import type { LimitRequest, LimitStore } from '../../src/index.ts';
import { MAX_PAUSE_MS } from '../../src/retry/retry-after.ts';
import { monotonicNow } from '../../src/timer.ts';
import { createLocalQuota } from './local-quota.ts';
import type { RedisConnection } from './redis-connection.ts';
import { StateUnavailableError } from './shared-state.ts';

/**
 * A reservation that took longer is recorded too early, so it is repeated once. On a slow connection the
 * second one counts; the caller renews it (see `createStarts`).
 */
const STALE_MS = 300;
/** Spreads replicas that wait for the same slot. */
const JITTER_MS = 25;
const LOST_WAIT_MS = 100;

/**
 * Rate limit shared by all replicas, atomic and by Redis's clock. While Redis is unavailable, and one window
 * after, each replica limits itself to its share (limit ÷ replicas). Never throws.
 */
export function createRedisRateLimit(connection: RedisConnection): LimitStore {
  const quota = createLocalQuota();

  async function takeShared(request: LimitRequest, again: '' | '1' = ''): Promise<number> {
    const { getKey, runCommand } = connection;
    const { id, requests, windowMs, start } = request;
    const keys = [getKey('starts', id), getKey('held', id), getKey('settle'), getKey('since')];
    const requestedAt = monotonicNow();
    const waitMs = await runCommand((redis) => redis.docshareTake(...keys, requests, windowMs, start, again));
    if (typeof waitMs !== 'number') throw new StateUnavailableError();
    if (waitMs < 0) {
      connection.reportHistoryLost();
      return LOST_WAIT_MS;
    }
    if (waitMs > 0) return waitMs + Math.random() * JITTER_MS;
    return again === '' && monotonicNow() - requestedAt > STALE_MS ? takeShared(request, '1') : 0;
  }

  /** Redis does not know what started while it was away. */
  function needsQuota(windowMs: number): boolean {
    return !connection.isAvailable() || monotonicNow() - connection.backAt() < windowMs;
  }

  function takeAlone(request: LimitRequest): number {
    const waitMs = quota.waitMs(request, connection.getStatus().replicas);
    if (waitMs === 0) quota.add(request);
    return waitMs;
  }

  return {
    async take(request) {
      if (needsQuota(request.windowMs)) {
        const waitMs = takeAlone(request);
        if (waitMs > 0 || !connection.isAvailable()) return waitMs;
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
      await connection
        .runCommand((redis) => redis.docshareRenew(connection.getKey('starts', id), windowMs, start))
        .catch(() => undefined);
    },
    async pause(id, until) {
      // Redis does not accept infinite numbers.
      const ms = Math.min(Math.ceil(until - Date.now()), MAX_PAUSE_MS);
      if (!(ms > 0)) return;
      await connection
        .runCommand((redis) => redis.docshareHold(connection.getKey('held', id), ms))
        .catch(() => undefined);
    },
  };
}
