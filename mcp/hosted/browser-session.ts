import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

const COOKIE_TTL_S = 365 * 24 * 60 * 60;

/** Hash of the browser's own cookie, which is set where it is missing: forms and grants are bound to it. */
export function getBrowserId(context: Context, issuer: string): string {
  const secure = issuer.startsWith('https:');
  // The prefix keeps other hosts of the domain from setting it.
  const name = secure ? '__Host-docshare' : 'docshare';
  const existing = getCookie(context, name);
  const value = existing && /^[\w-]{43}$/.test(existing) ? existing : randomBytes(32).toString('base64url');
  // Lax: the first page is reached from another site, and must find it.
  setCookie(context, name, value, {
    path: '/',
    httpOnly: true,
    secure,
    sameSite: 'Lax',
    maxAge: COOKIE_TTL_S,
  });
  return createHash('sha256').update(`docshare browser\n${value}`).digest('base64url').slice(0, 22);
}

/** Whether a form comes from a page of this server, as far as the browser says it. */
export function isSameOriginForm(request: Request, issuer: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  return (site === null || site === 'same-origin') && (origin === null || origin === issuer);
}

/**
 * The caller's address: of the connection, or as the last of this server's own proxies wrote it down. What stands further
 * left in the header was written by whoever called.
 */
export function getClientAddress(
  socket: string | undefined,
  forwarded: string | undefined,
  proxies: number,
): string {
  const hops = [...(forwarded?.split(',').map((hop) => hop.trim()) ?? []), socket ?? ''];
  return hops[Math.max(0, hops.length - 1 - proxies)] ?? '';
}

export interface IpRateLimiter {
  /** Seconds until the next try, where there were too many; else it counts this one. */
  take(address: string): number | undefined;
}

const MAX_TRACKED_ADDRESSES = 10_000;

/** So many tries of one address in a minute, on this replica. */
export function createIpRateLimiter(limit: number, now: () => number = Date.now): IpRateLimiter {
  const attempts = new Map<string, { count: number; until: number }>();
  return {
    take(address) {
      const name = getNetwork(address);
      const existing = attempts.get(name);
      if (existing && existing.until > now()) {
        existing.count += 1;
        return existing.count > limit ? Math.ceil((existing.until - now()) / 1000) : undefined;
      }
      attempts.delete(name);
      const [oldest] = attempts.keys();
      if (attempts.size >= MAX_TRACKED_ADDRESSES && oldest !== undefined) attempts.delete(oldest);
      attempts.set(name, { count: 1, until: now() + 60_000 });
      return undefined;
    },
  };
}

/** One line of the provider has 2^64 addresses of IPv6: they count as one. */
function getNetwork(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  return [...groups, '0', '0', '0', '0'].slice(0, 4).join(':');
}
