import type { SandboxProfile } from '../profile/switches.ts';
import { type RateLimitResult, REQUESTS_PER_WINDOW, WINDOW_MS } from '../render/rate-limit-headers.ts';

/** Requests that a `burst` service admits at once before it falls back to two per second. */
const BURST_CAPACITY = 10;

export type KeyLimiter = ReturnType<typeof createKeyLimiter>;

/** Admitted requests of a key (all requests, if rejected ones count), and the tokens of its bucket. */
interface KeyUsage {
  times: number[];
  tokens: number;
  refilledAt: number;
}

interface Check {
  readonly usage: KeyUsage;
  readonly now: number;
  readonly countsRejected: boolean;
}

export function createKeyLimiter() {
  const usageByKey = new Map<string, KeyUsage>();
  return {
    /** Counts a request of a key, by the profile's rule. */
    countRequest({ key, now, profile }: { key: string; now: number; profile: SandboxProfile }): RateLimitResult {
      const { rateLimiter, rateLimitCounts } = profile;
      const capacity = rateLimiter === 'burst' ? BURST_CAPACITY : REQUESTS_PER_WINDOW;
      const id = `${rateLimiter} ${key}`;
      const usage = usageByKey.get(id) ?? { times: [], tokens: capacity, refilledAt: now };
      usageByKey.set(id, usage);
      const check = { usage, now, countsRejected: rateLimitCounts === 'all' };
      if (rateLimiter === 'bucket' || rateLimiter === 'burst') return checkBucket(check, capacity);
      return checkWindow(check, rateLimiter === 'fixed');
    },
    clear: () => usageByKey.clear(),
  };
}

function checkWindow({ usage, now, countsRejected }: Check, isFixed: boolean): RateLimitResult {
  const start = isFixed ? now - (now % WINDOW_MS) : now - WINDOW_MS + 1;
  usage.times = usage.times.filter((time) => time >= start);
  const isAllowed = usage.times.length < REQUESTS_PER_WINDOW;
  if (isAllowed || countsRejected) usage.times.push(now);
  const remaining = Math.max(0, REQUESTS_PER_WINDOW - usage.times.length);
  if (remaining > 0) return { admitted: isAllowed, remaining, waitMs: 0 };
  // The key is free again when this request leaves the window.
  const blockingRequest = usage.times.at(-REQUESTS_PER_WINDOW) ?? now;
  const until = isFixed ? start + WINDOW_MS : blockingRequest + WINDOW_MS;
  return { admitted: isAllowed, remaining, waitMs: until - now };
}

function checkBucket({ usage, now, countsRejected }: Check, capacity: number): RateLimitResult {
  const perMs = REQUESTS_PER_WINDOW / WINDOW_MS;
  usage.tokens = Math.min(capacity, usage.tokens + (now - usage.refilledAt) * perMs);
  usage.refilledAt = now;
  // Floating point: the sum of many refills may be slightly under one.
  const isAllowed = usage.tokens > 1 - 1e-6;
  // Rejected requests may empty the bucket further, but a minute of silence always refills it.
  if (isAllowed || countsRejected) usage.tokens = Math.max(-REQUESTS_PER_WINDOW + 1, usage.tokens - 1);
  const remaining = Math.max(0, Math.floor(usage.tokens + 1e-6));
  return { admitted: isAllowed, remaining, waitMs: remaining > 0 ? 0 : Math.ceil((1 - usage.tokens) / perMs) };
}
