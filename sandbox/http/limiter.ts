import type { SandboxProfile } from '../profile/switches.ts';

/** §8: 120 requests per minute per key. */
export const REQUESTS_PER_WINDOW = 120;
const WINDOW_MS = 60_000;
/** What a `burst` service lets through at once before it holds to two a second. */
const BURST_CAPACITY = 10;

export interface RateLimitResult {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** How long until a request is admitted again; 0 while some remain. */
  readonly waitMs: number;
}

export interface KeyLimiter {
  /** Counts one request of a key at a moment, by the rule of the profile. */
  countRequest(input: { key: string; now: number; profile: SandboxProfile }): RateLimitResult;
  clear(): void;
}

/** The accepted requests of a key (or all of them, where refused ones count too), and what its bucket holds. */
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
      const isBurst = profile.limiter === 'burst';
      const capacity = isBurst ? BURST_CAPACITY : REQUESTS_PER_WINDOW;
      const usage = getUsage(`${profile.limiter} ${key}`, now, capacity);
      const countsRejected = profile.limitCounts === 'all';
      if (profile.limiter === 'bucket' || isBurst)
        return checkBucket({ usage, now, capacity, countsRejected });
      return checkWindow({ usage, now, fixed: profile.limiter === 'fixed', countsRejected });
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
  if (remaining > 0) return { isAllowed, remaining, waitMs: 0 };
  // Free again when the request leaves the window that keeps the count at the limit.
  const blockingRequest = usage.times.at(-REQUESTS_PER_WINDOW) ?? now;
  const until = input.fixed ? start + WINDOW_MS : blockingRequest + WINDOW_MS;
  return { isAllowed, remaining, waitMs: until - now };
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
  // A hair under one is one: the sum of many small refills is not exact.
  const isAllowed = usage.tokens > 1 - 1e-6;
  // Refused requests push a bucket below empty, but never so far that a minute of silence can't fill it.
  if (isAllowed || input.countsRejected) usage.tokens = Math.max(-REQUESTS_PER_WINDOW + 1, usage.tokens - 1);
  const remaining = Math.max(0, Math.floor(usage.tokens + 1e-6));
  return { isAllowed, remaining, waitMs: remaining > 0 ? 0 : Math.ceil((1 - usage.tokens) / perMs) };
}

/** What an answer says about the limit (§8: hints are not shown). */
export function getLimitHeaders(input: {
  rateLimit: RateLimitResult;
  now: number;
  profile: SandboxProfile;
}): Record<string, string> {
  const { rateLimit, now, profile } = input;
  const seconds = Math.ceil(rateLimit.waitMs / 1000);
  const isRejected = !rateLimit.isAllowed;
  switch (profile.limitHint) {
    case 'seconds':
      return isRejected ? { 'retry-after': String(seconds) } : {};
    case 'date':
      return isRejected
        ? { 'retry-after': new Date(Math.ceil((now + rateLimit.waitMs) / 1000) * 1000).toUTCString() }
        : {};
    case 'ratelimit':
      return {
        'ratelimit-limit': String(REQUESTS_PER_WINDOW),
        'ratelimit-remaining': String(rateLimit.remaining),
        'ratelimit-reset': String(seconds),
      };
    case 'ratelimit-policy':
      return {
        'ratelimit-policy': `"default";q=${REQUESTS_PER_WINDOW};w=${WINDOW_MS / 1000}`,
        ratelimit: `"default";r=${rateLimit.remaining};t=${seconds}`,
      };
    case 'x-ratelimit':
      return {
        'x-ratelimit-limit': String(REQUESTS_PER_WINDOW),
        'x-ratelimit-remaining': String(rateLimit.remaining),
        'x-ratelimit-reset': String(Math.ceil((now + rateLimit.waitMs) / 1000)),
      };
    default:
      return {};
  }
}
