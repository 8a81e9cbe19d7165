import type { SandboxProfile } from '../profile/switches.ts';

/** §8: 120 requests per minute per key. */
export const REQUESTS_PER_WINDOW = 120;
export const WINDOW_MS = 60_000;

export interface RateLimitResult {
  readonly admitted: boolean;
  readonly remaining: number;
  /** Time until a request is admitted; 0 while some remain. */
  readonly waitMs: number;
}

/** Returns the rate limit headers (§8 specifies none). */
export function getRateLimitHeaders(input: {
  rateLimit: RateLimitResult;
  now: number;
  profile: SandboxProfile;
}): Record<string, string> {
  const { rateLimit, now, profile } = input;
  const seconds = Math.ceil(rateLimit.waitMs / 1000);
  const rejected = !rateLimit.admitted;
  switch (profile.rateLimitHeaders) {
    case 'seconds':
      return rejected ? { 'retry-after': String(seconds) } : {};
    case 'date':
      return rejected
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
