import type { PreparedRequest } from './request-policy.ts';

const MAX_REDIRECTS = 5;

/**
 * Resolves a redirect, on the same origin only because of the key. 307 and 308 repeat the request; 303
 * requests the result of a write; only a GET follows 301 and 302, which may turn a write into a read.
 * @returns the next request, or the reason why there is none.
 */
export function resolveRedirect(
  request: PreparedRequest,
  redirect: { status: number; location: string | undefined; hops: number },
): PreparedRequest | string {
  const { status, location, hops } = redirect;
  if (location === undefined) return 'the service responded with a redirect without a location';
  const currentUrl = new URL(request.url);
  const targetUrl = URL.parse(location, currentUrl);
  if (targetUrl === null || targetUrl.host === '') return 'the service responded with a redirect to an invalid URL';
  if (targetUrl.origin !== currentUrl.origin)
    return `the service redirected to ${targetUrl.origin}, so the API key was not sent. Correct the base URL`;
  if (hops >= MAX_REDIRECTS) return 'the service redirected too many times. Check the base URL';
  const { method } = request;
  const { href: url } = targetUrl;
  if (status === 307 || status === 308 || (method === 'GET' && status !== 304)) return { ...request, url };
  if (status === 303) return { method: 'GET', url, headers: { accept: 'application/json' } };
  return `the service redirected this ${method} to another path, which would lose its body. Correct the base URL`;
}
