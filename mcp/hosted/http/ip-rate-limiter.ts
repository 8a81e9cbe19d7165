import { randomUUID } from 'node:crypto';
import { isIP, isIPv6 } from 'node:net';
import { setBounded } from '../../bounded-map.ts';
import { computeHmac } from '../../canonical-json.ts';
import type { StateProvider } from '../../state/shared-state.ts';

/**
 * Client address: the socket's, or the one that the outermost of this server's own proxies recorded. Entries further left
 * in `X-Forwarded-For` come from the caller and are ignored.
 */
export function parseClientIp(socket: string | undefined, forwarded: string | undefined, proxies: number): string {
  const hops = [...(forwarded?.split(',').map((hop) => hop.trim()) ?? []), socket ?? ''];
  return hops[Math.max(0, hops.length - 1 - proxies)] ?? '';
}

export type IpRateLimiter = ReturnType<typeof createIpRateLimiter>;

const WINDOW_MS = 60_000;
const MAX_TRACKED_KEYS = 10_000;

/** Limits the attempts of each key per minute, on this replica. */
export function createKeyRateLimiter(limit: number, now: () => number = Date.now) {
  const attempts = new Map<string, { count: number; until: number }>();
  return {
    /** Counts an attempt. Returns the seconds to wait if there were too many, otherwise undefined. */
    take(key: string): number | undefined {
      const existing = attempts.get(key);
      if (existing && existing.until > now()) {
        existing.count += 1;
        return existing.count > limit ? Math.ceil((existing.until - now()) / 1000) : undefined;
      }
      attempts.delete(key);
      setBounded(attempts, MAX_TRACKED_KEYS, [key, { count: 1, until: now() + WINDOW_MS }]);
      return undefined;
    },
  };
}

/** Limits attempts per minute and network, on this replica. */
export function createIpRateLimiter(limit: number, now: () => number = Date.now) {
  const limiter = createKeyRateLimiter(limit, now);
  return { take: (address: string) => limiter.take(getNetwork(address)) };
}

/** Limits attempts per minute and network, on all replicas together. */
export function createSharedIpRateLimiter(limit: number, state: StateProvider) {
  const ownLimiter = createIpRateLimiter(limit);
  return {
    async take(address: string): Promise<number | undefined> {
      const shared = await state();
      const wait = ownLimiter.take(address);
      // After a loss of the history, requests are held; sign-ins need not be.
      if (wait !== undefined || !shared.limit || shared.getStatus().holdMs > 0) return wait;
      const id = computeHmac(shared.secret, `key attempts\n${getNetwork(address)}`);
      const attempt = { id, requests: limit, windowMs: WINDOW_MS, start: randomUUID(), now: Date.now() };
      const waitMs = await shared.limit.take(attempt);
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined;
    },
  };
}

/**
 * Network of an address: an IPv6 customer gets up to a /48, so its addresses count as one. Some proxies (Azure, IIS) add
 * the port. All addresses that can't be read count as one.
 */
function getNetwork(text: string): string {
  const bare = text.replaceAll('"', '').replace(/^\[(.*)\](:\d+)?$/, '$1');
  const address = isIP(bare) ? bare : bare.replace(/:\d+$/, '');
  if (!isIPv6(address)) return isIP(address) ? address : '';
  // A URL parser writes an address in one form only.
  const plain = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(plain);
  if (mapped) {
    const bits = Number.parseInt(mapped[1] ?? '', 16) * 65_536 + Number.parseInt(mapped[2] ?? '', 16);
    return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
  }
  const [head = ''] = plain.split('::');
  return [...head.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3).join(':');
}
