import type { IncomingHttpHeaders } from 'node:http';

/** Returns true if a `Host` header names this machine, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}

/**
 * Returns true for a request from a page of this server or from no page; browsers send `Origin` with forms,
 * and `Sec-Fetch-Site`.
 */
export function isSameOrigin({ host, origin, 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders): boolean {
  if (site !== 'none' && site !== 'same-origin') return false;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
