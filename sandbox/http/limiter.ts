import type { Profile } from '../profile/switches.ts';

/** §8: 120 requests per minute per key. */
export const LIMIT = 120;
const WINDOW_MS = 60_000;
/** What a `burst` service lets through at once before it holds to two a second. */
const BURST = 10;

export interface LimitVerdict {
  readonly admitted: boolean;
  readonly remaining: number;
  /** How long until a request is admitted again; 0 while some remain. */
  readonly waitMs: number;
}

export interface Limiter {
  /** Counts one request of a key at a moment, by the rule of the profile. */
  admit(input: { key: string; now: number; profile: Profile }): LimitVerdict;
  clear(): void;
}

/** The accepted requests of a key (or all of them, where refused ones count too), and what its bucket holds. */
interface Count {
  times: number[];
  tokens: number;
  filledAt: number;
}

export function createLimiter(): Limiter {
  const counts = new Map<string, Count>();

  function getUsage(key: string, now: number, capacity: number): Count {
    let count = counts.get(key);
    if (!count) {
      count = { times: [], tokens: capacity, filledAt: now };
      counts.set(key, count);
    }
    return count;
  }

  return {
    admit({ key, now, profile }) {
      const small = profile.limiter === 'burst';
      const capacity = small ? BURST : LIMIT;
      const count = getUsage(`${profile.limiter} ${key}`, now, capacity);
      const countsRefused = profile.limitCounts === 'all';
      if (profile.limiter === 'bucket' || small) return fromBucket({ count, now, capacity, countsRefused });
      return fromWindow({ count, now, fixed: profile.limiter === 'fixed', countsRefused });
    },
    clear: () => counts.clear(),
  };
}

function fromWindow(input: {
  count: Count;
  now: number;
  fixed: boolean;
  countsRefused: boolean;
}): LimitVerdict {
  const { count, now } = input;
  const start = input.fixed ? now - (now % WINDOW_MS) : now - WINDOW_MS + 1;
  count.times = count.times.filter((time) => time >= start);
  const admitted = count.times.length < LIMIT;
  if (admitted || input.countsRefused) count.times.push(now);
  const remaining = Math.max(0, LIMIT - count.times.length);
  if (remaining > 0) return { admitted, remaining, waitMs: 0 };
  // Free again when the request leaves the window that keeps the count at the limit.
  const blocking = count.times.at(-LIMIT) ?? now;
  const until = input.fixed ? start + WINDOW_MS : blocking + WINDOW_MS;
  return { admitted, remaining, waitMs: until - now };
}

function fromBucket(input: {
  count: Count;
  now: number;
  capacity: number;
  countsRefused: boolean;
}): LimitVerdict {
  const { count, now, capacity } = input;
  const perMs = LIMIT / WINDOW_MS;
  count.tokens = Math.min(capacity, count.tokens + (now - count.filledAt) * perMs);
  count.filledAt = now;
  // A hair under one is one: the sum of many small refills is not exact.
  const admitted = count.tokens > 1 - 1e-6;
  // Refused requests push a bucket below empty, but never so far that a minute of silence can't fill it.
  if (admitted || input.countsRefused) count.tokens = Math.max(-LIMIT + 1, count.tokens - 1);
  const remaining = Math.max(0, Math.floor(count.tokens + 1e-6));
  return { admitted, remaining, waitMs: remaining > 0 ? 0 : Math.ceil((1 - count.tokens) / perMs) };
}

/** What an answer says about the limit (§8: hints are not shown). */
export function limitHeaders(input: {
  verdict: LimitVerdict;
  now: number;
  profile: Profile;
}): Record<string, string> {
  const { verdict, now, profile } = input;
  const seconds = Math.ceil(verdict.waitMs / 1000);
  const refused = !verdict.admitted;
  switch (profile.limitHint) {
    case 'seconds':
      return refused ? { 'retry-after': String(seconds) } : {};
    case 'date':
      return refused
        ? { 'retry-after': new Date(Math.ceil((now + verdict.waitMs) / 1000) * 1000).toUTCString() }
        : {};
    case 'ratelimit':
      return {
        'ratelimit-limit': String(LIMIT),
        'ratelimit-remaining': String(verdict.remaining),
        'ratelimit-reset': String(seconds),
      };
    case 'ratelimit-policy':
      return {
        'ratelimit-policy': `"default";q=${LIMIT};w=${WINDOW_MS / 1000}`,
        ratelimit: `"default";r=${verdict.remaining};t=${seconds}`,
      };
    case 'x-ratelimit':
      return {
        'x-ratelimit-limit': String(LIMIT),
        'x-ratelimit-remaining': String(verdict.remaining),
        'x-ratelimit-reset': String(Math.ceil((now + verdict.waitMs) / 1000)),
      };
    default:
      return {};
  }
}
