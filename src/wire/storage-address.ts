/**
 * The address of stored bytes, relative ones resolved. What is sent there is a document, so a service that is itself
 * reached by https may not move it to plain http (except on this machine).
 * @throws what `fail` makes of the reason, which never holds the address: its query is a secret.
 */
export function resolveAddress(
  address: string,
  { base, fail }: { base: string; fail: (reason: string) => Error },
): URL {
  const url = URL.parse(address.trim(), base);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw fail('the storage address that the service gave is no web address');
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !local && new URL(base).protocol === 'https:')
    throw fail('the storage address that the service gave is without https');
  return url;
}

/** Redirects that keep method and body are followed for a PUT; a GET follows all. */
export function isRedirect(status: number, method: 'GET' | 'PUT'): boolean {
  const kept = status === 307 || status === 308;
  return method === 'PUT' ? kept : kept || status === 301 || status === 302 || status === 303;
}
