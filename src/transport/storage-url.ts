import { isLoopbackName } from '../loopback.ts';
/**
 * The address of stored bytes, relative ones resolved. What is sent there is a document, so a service that is itself
 * reached by https may not move it to plain http (except on this machine).
 * @throws what `createError` makes of the reason, which never holds the address: its query is a secret.
 */
export function resolveStorageUrl(
  storageUrl: string,
  { base, createError }: { base: string; createError: (reason: string) => Error },
): URL {
  const url = URL.parse(storageUrl.trim(), base);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw createError('the storage address that the service gave is no web address');
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname) && new URL(base).protocol === 'https:')
    throw createError('the storage address that the service gave is without https');
  return url;
}

/** Redirects that keep method and body are followed for a PUT; a GET follows all. */
export function isFollowedRedirect(status: number, method: 'GET' | 'PUT'): boolean {
  const keepsMethod = status === 307 || status === 308;
  return method === 'PUT' ? keepsMethod : keepsMethod || status === 301 || status === 302 || status === 303;
}
