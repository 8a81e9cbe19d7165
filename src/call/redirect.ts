import type { Wire } from './rules.ts';

const MAX_REDIRECTS = 5;

/**
 * Where a redirected call goes on: on the same origin only, since the key goes nowhere else.
 * 307 and 308 repeat the request; 303 asks for the result of one that ran; 301 and 302 may turn a write into a read,
 * so that only a GET follows them.
 * @returns the request of the next hop, or in words why there is none.
 */
export function nextHop(
  wire: Wire,
  answer: { status: number; location: string | undefined; hops: number },
): Wire | string {
  const { status, location, hops } = answer;
  if (location === undefined) return 'the service answered with a redirect that leads nowhere';
  const here = new URL(wire.url);
  const there = URL.parse(location, here);
  if (there === null || there.host === '')
    return 'the service answered with a redirect to an address that is none';
  if (there.origin !== here.origin)
    return `the service redirects to ${there.origin}, where the API key must not go; correct the base URL`;
  if (hops >= MAX_REDIRECTS) return 'the service redirects in circles; check the base URL';
  const { method } = wire;
  const { href: url } = there;
  if (status === 307 || status === 308 || (method === 'GET' && status !== 304)) return { ...wire, url };
  if (status === 303) return { method: 'GET', url, headers: { accept: 'application/json' } };
  return `the service redirects this ${method} to another path and would lose its body; correct the base URL`;
}
