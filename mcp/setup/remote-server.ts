import { isLoopbackName } from '../../src/loopback.ts';
import { SetupError } from './setup-error.ts';

/** The endpoint of a hosted server. @throws SetupError for an address that can't be one. */
export function parseEndpoint(input: string): string {
  const text = input.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))))
    throw new SetupError('--url takes the https:// address of a hosted server. Nothing was changed.');
  if (url.username || url.password || url.search || url.hash)
    throw new SetupError(
      '--url takes a plain address without password and query, because the sign-in happens in the browser. Nothing was changed.',
    );
  // Users get the address of the site as often as that of the endpoint.
  return url.pathname === '/' ? `${url.origin}/mcp` : url.href;
}
