import type { IncomingHttpHeaders } from 'node:http';

/** Whether a `Host` header names this machine, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}

/**
 * Whether a request comes from a page of this server, or from no page at all: a browser names the `Origin` of a form, and
 * the site that asks, of itself.
 */
export function isSameOrigin({
  host,
  origin,
  'sec-fetch-site': site = 'none',
}: IncomingHttpHeaders): boolean {
  if (site !== 'none' && site !== 'same-origin') return false;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
