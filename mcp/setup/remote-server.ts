import { isLoopbackName } from '../../src/loopback.ts';
import { readWebUrl } from '../../src/web-url.ts';
import { SetupError } from './setup-error.ts';

/** Parses `--url` to the endpoint of a hosted server. @throws SetupError for an invalid URL. */
export function parseEndpoint(input: string): string {
  const { url, problem } = readWebUrl(input.trim());
  if (!url) throw new SetupError(`--url ${problem}. Nothing was changed.`);
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    throw new SetupError('--url must be the https:// URL of a hosted server. Nothing was changed.');
  if (url.search || url.hash)
    throw new SetupError(
      '--url must not contain a query or fragment; you sign in in the browser. Nothing was changed.',
    );
  // Users often pass the site instead of the endpoint.
  return url.pathname === '/' ? `${url.origin}/mcp` : url.href;
}
