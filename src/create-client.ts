import { type Client, type ClientOptions, defineClient } from './client.ts';
import { InputError } from './errors.ts';
import type { Transport } from './transport.ts';
import { createUndiciTransport } from './undici-transport.ts';

export interface CreateClientOptions extends Partial<Omit<ClientOptions, 'transport'>> {
  readonly transport?: Transport;
}

/**
 * A typed client over undici. `apiKey` and `baseUrl` come from `DOCSHARE_API_KEY` and `DOCSHARE_BASE_URL` unless given.
 * `close()` ends its connections; a client that is never closed does not keep a process alive for long.
 * @throws InputError where the key or the base URL is missing or unusable.
 */
export function createClient(options: CreateClientOptions = {}): Client & { close(): Promise<void> } {
  const apiKey = options.apiKey ?? process.env['DOCSHARE_API_KEY'];
  const baseUrl = options.baseUrl ?? process.env['DOCSHARE_BASE_URL'];
  if (!apiKey)
    throw new InputError(
      'No API key: set DOCSHARE_API_KEY, or pass apiKey. Keys are made in Settings → API keys.',
    );
  if (!baseUrl)
    throw new InputError(
      'No base URL: set DOCSHARE_BASE_URL to the address that ends in /api/v1, or pass baseUrl.',
    );
  if (options.transport)
    return {
      ...defineClient({ ...options, apiKey, baseUrl, transport: options.transport }),
      close: async () => undefined,
    };
  const transport = createUndiciTransport();
  return { ...defineClient({ ...options, apiKey, baseUrl, transport }), close: transport.close };
}
