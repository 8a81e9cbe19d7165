import { setBounded } from '../../bounded-map.ts';

/**
 * Client address: the socket's, or the one that the outermost of this server's own proxies recorded. Entries further left
 * in `X-Forwarded-For` come from the caller and are ignored.
 */
export function getClientAddress(socket: string | undefined, forwarded: string | undefined, proxies: number): string {
  const hops = [...(forwarded?.split(',').map((hop) => hop.trim()) ?? []), socket ?? ''];
  return hops[Math.max(0, hops.length - 1 - proxies)] ?? '';
}

export interface IpRateLimiter {
  /** Counts an attempt. Returns the seconds to wait if there were too many, otherwise undefined. */
  take(address: string): number | undefined;
}

const MAX_TRACKED_ADDRESSES = 10_000;

/** Limits attempts per minute and network, on this replica. */
export function createIpRateLimiter(limit: number, now: () => number = Date.now): IpRateLimiter {
  const attempts = new Map<string, { count: number; until: number }>();
  return {
    take(address) {
      const network = getNetwork(address);
      const existing = attempts.get(network);
      if (existing && existing.until > now()) {
        existing.count += 1;
        return existing.count > limit ? Math.ceil((existing.until - now()) / 1000) : undefined;
      }
      attempts.delete(network);
      setBounded(attempts, MAX_TRACKED_ADDRESSES, [network, { count: 1, until: now() + 60_000 }]);
      return undefined;
    },
  };
}

/** An IPv6 customer gets a whole /64, so its addresses count as one. */
function getNetwork(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  return [...groups, '0', '0', '0', '0'].slice(0, 4).join(':');
}
