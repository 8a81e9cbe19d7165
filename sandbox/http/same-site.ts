import type { IncomingHttpHeaders } from 'node:http';

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
