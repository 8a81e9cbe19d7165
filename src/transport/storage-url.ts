import { isLoopbackHostname } from '../loopback.ts';
import type { TransportResponse } from './transport.ts';

/**
 * Resolves a storage URL. A service reached by https must not move documents to plain http (except on
 * localhost).
 * @throws what `createError` makes of the reason, which never contains the URL: its query is a secret.
 */
export function resolveStorageUrl(
  storageUrl: string,
  { base, createError }: { base: string; createError: (reason: string) => Error },
): URL {
  const url = URL.parse(storageUrl.trim(), base);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw createError('the service returned a storage URL that is not an http(s) URL');
  if (url.protocol === 'http:' && !isLoopbackHostname(url.hostname) && new URL(base).protocol === 'https:')
    throw createError('the service returned a storage URL without https');
  return url;
}

/**
 * Returns the request that follows a storage's redirect; undefined for another response.
 * @throws as {@link resolveStorageUrl}.
 */
export function followStorageRedirect<Request extends { readonly method: string; readonly url: string }>(
  request: Request,
  { status, headers: { location } }: Pick<TransportResponse, 'status' | 'headers'>,
  createError: (reason: string) => Error,
): { kind: 'redirected'; request: Request } | undefined {
  if (location === undefined || !isFollowedRedirect(status, request.method)) return undefined;
  const { href: url } = resolveStorageUrl(location, { base: request.url, createError });
  return { kind: 'redirected', request: { ...request, url } };
}

/** A PUT follows redirects that keep method and body; a GET follows all. */
export function isFollowedRedirect(status: number, method: string): boolean {
  const keepsMethod = status === 307 || status === 308;
  return method === 'PUT' ? keepsMethod : keepsMethod || status === 301 || status === 302 || status === 303;
}
