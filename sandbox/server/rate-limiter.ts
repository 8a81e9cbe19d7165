import type { SandboxProfile } from '../profile/switches.ts';
import { type RateLimitResult, REQUESTS_PER_WINDOW, WINDOW_MS } from '../render/rate-limit-headers.ts';

/** Requests that a `burst` service admits at once before it falls back to two per second. */
const BURST_CAPACITY = 10;

export interface KeyLimiter {
  /** Counts a request of a key, by the profile's rule. */
  countRequest(input: { key: string; now: number; profile: SandboxProfile }): RateLimitResult;
  clear(): void;
}

/** Admitted requests of a key (all requests, if rejected ones count), and the tokens of its bucket. */
interface KeyUsage {
  times: number[];
  tokens: number;
  refilledAt: number;
}

export function createKeyLimiter(): KeyLimiter {
  const usageByKey = new Map<string, KeyUsage>();

  function getUsage(key: string, now: number, capacity: number): KeyUsage {
    let usage = usageByKey.get(key);
    if (!usage) {
      usage = { times: [], tokens: capacity, refilledAt: now };
      usageByKey.set(key, usage);
    }
    return usage;
  }

  return {
    countRequest({ key, now, profile }) {
      const isBurst = profile.rateLimiter === 'burst';
      const capacity = isBurst ? BURST_CAPACITY : REQUESTS_PER_WINDOW;
      const usage = getUsage(`${profile.rateLimiter} ${key}`, now, capacity);
      const countsRejected = profile.rateLimitCounts === 'all';
      if (profile.rateLimiter === 'bucket' || isBurst) return checkBucket({ usage, now, capacity, countsRejected });
      return checkWindow({ usage, now, fixed: profile.rateLimiter === 'fixed', countsRejected });
    },
    clear: () => usageByKey.clear(),
  };
}

function checkWindow(input: {
  usage: KeyUsage;
  now: number;
  fixed: boolean;
  countsRejected: boolean;
}): RateLimitResult {
  const { usage, now } = input;
  const start = input.fixed ? now - (now % WINDOW_MS) : now - WINDOW_MS + 1;
  usage.times = usage.times.filter((time) => time >= start);
  const isAllowed = usage.times.length < REQUESTS_PER_WINDOW;
  if (isAllowed || input.countsRejected) usage.times.push(now);
  const remaining = Math.max(0, REQUESTS_PER_WINDOW - usage.times.length);
  if (remaining > 0) return { admitted: isAllowed, remaining, waitMs: 0 };
  // The key is free again when this request leaves the window.
  const blockingRequest = usage.times.at(-REQUESTS_PER_WINDOW) ?? now;
  const until = input.fixed ? start + WINDOW_MS : blockingRequest + WINDOW_MS;
  return { admitted: isAllowed, remaining, waitMs: until - now };
}

function checkBucket(input: {
  usage: KeyUsage;
  now: number;
  capacity: number;
  countsRejected: boolean;
}): RateLimitResult {
  const { usage, now, capacity } = input;
  const perMs = REQUESTS_PER_WINDOW / WINDOW_MS;
  usage.tokens = Math.min(capacity, usage.tokens + (now - usage.refilledAt) * perMs);
  usage.refilledAt = now;
  // Floating point: the sum of many refills may be slightly under one.
  const isAllowed = usage.tokens > 1 - 1e-6;
  // Rejected requests may empty the bucket further, but a minute of silence always refills it.
  if (isAllowed || input.countsRejected) usage.tokens = Math.max(-REQUESTS_PER_WINDOW + 1, usage.tokens - 1);
  const remaining = Math.max(0, Math.floor(usage.tokens + 1e-6));
  return { admitted: isAllowed, remaining, waitMs: remaining > 0 ? 0 : Math.ceil((1 - usage.tokens) / perMs) };
}
