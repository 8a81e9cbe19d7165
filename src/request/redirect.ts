import type { PreparedRequest } from './request-policy.ts';

const MAX_REDIRECTS = 5;

/**
 * Where a redirected call goes on: on the same origin only, since the key goes nowhere else.
 * 307 and 308 repeat the request; 303 asks for the result of one that ran; 301 and 302 may turn a write into a read,
 * so that only a GET follows them.
 * @returns the request of the next hop, or in words why there is none.
 */
export function resolveRedirect(
  request: PreparedRequest,
  redirect: { status: number; location: string | undefined; hops: number },
): PreparedRequest | string {
  const { status, location, hops } = redirect;
  if (location === undefined) return 'the service answered with a redirect that leads nowhere';
  const currentUrl = new URL(request.url);
  const targetUrl = URL.parse(location, currentUrl);
  if (targetUrl === null || targetUrl.host === '')
    return 'the service answered with a redirect to an address that is none';
  if (targetUrl.origin !== currentUrl.origin)
    return `the service redirects to ${targetUrl.origin}, where the API key must not go; correct the base URL`;
  if (hops >= MAX_REDIRECTS) return 'the service redirects in circles; check the base URL';
  const { method } = request;
  const { href: url } = targetUrl;
  if (status === 307 || status === 308 || (method === 'GET' && status !== 304)) return { ...request, url };
  if (status === 303) return { method: 'GET', url, headers: { accept: 'application/json' } };
  return `the service redirects this ${method} to another path and would lose its body; correct the base URL`;
}
