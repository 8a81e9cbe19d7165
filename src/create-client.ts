import type { Dispatcher } from 'undici';
import { type Client, type ClientOptions, defineClient } from './client.ts';
import { InputError } from './errors.ts';
import { readProfileSync } from './profile/read-profile.ts';
import type { ServiceProfile } from './profile/service-profile.ts';
import { createFetchTransport } from './transport/fetch-transport.ts';
import type { Transport } from './transport/transport.ts';
import { createUndiciTransport, loadUndici } from './transport/undici-transport.ts';

type SharedClientOptions = Omit<ClientOptions, 'transport' | 'apiKey' | 'baseUrl' | 'profile'>;

export interface CreateClientOptions extends SharedClientOptions {
  /** Default: `DOCSHARE_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Default: `DOCSHARE_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** See {@link readProfile}. Default: `DOCSHARE_PROFILE`, with `DOCSHARE_BASE_URL`. Null for none. */
  readonly profile?: ServiceProfile | null | undefined;
  /** Default: over undici; over `fetch` where undici can't run, such as on Bun and Cloudflare Workers. */
  readonly transport?: Transport | undefined;
  /** Undici `Dispatcher` (7 or newer) for all requests; the client never closes it. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** Client that owns its connections. */
export interface DisposableClient extends Client, AsyncDisposable {
  /** Closes the client, then its own connections; your `dispatcher` or `transport` stays open. */
  close(): Promise<void>;
}

/**
 * Creates a typed client over undici, with one method for each operation of the API, and `upload` for files of any
 * size.
 *
 * `apiKey` and `baseUrl` default to `DOCSHARE_API_KEY` and `DOCSHARE_BASE_URL`. All clients of a process with
 * the same key share its limit of 120 requests per minute. `close()` (or `await using`) ends running calls
 * and connections; a client that is never closed does not keep the process alive for long.
 * @throws InputError if the key or base URL is missing or invalid, or the profile is of another service.
 * @example
 * import { createClient, NotFoundError } from 'docshare';
 *
 * const client = createClient();
 *
 * const { id } = await client.upload({ path: 'deck.pdf' }, { name: 'Deck' });
 * const link = await client.links.create({ document_id: id, email_required: true });
 * console.log('share this:', link.url);
 *
 * // `await` reads the first page of a list; `for await` reads all pages.
 * for await (const document of client.documents.list()) console.log(document.id, document.name);
 * const newest = await client.links.list().collect(10);
 *
 * try {
 *   await client.documents.get({ id: 'gone' }, { signal: AbortSignal.timeout(10_000) });
 * } catch (error) {
 *   if (!(error instanceof NotFoundError)) throw error;
 *   console.log(error.message, error.requestId);
 * }
 * await client.close();
 */
export function createClient(options: CreateClientOptions = {}): DisposableClient {
  const apiKey = options.apiKey ?? process.env['DOCSHARE_API_KEY'];
  const baseUrl = options.baseUrl ?? process.env['DOCSHARE_BASE_URL'];
  if (!apiKey)
    throw new InputError('No API key: set DOCSHARE_API_KEY or pass apiKey. Create a key in Settings → API keys.');
  if (!baseUrl)
    throw new InputError('No base URL: set DOCSHARE_BASE_URL or pass baseUrl. Use the URL that ends in /api/v1.');
  const path = options.baseUrl === undefined ? process.env['DOCSHARE_PROFILE']?.trim() : undefined;
  const profile =
    (options.profile === undefined && path ? readProfileFromEnvironment(path) : options.profile) ?? undefined;
  const { transport: customTransport, dispatcher } = options;
  if (customTransport && dispatcher)
    throw new InputError('Pass `transport` or `dispatcher`, not both: a dispatcher needs the default transport.');
  const create = (transport: Transport, closeTransport?: () => Promise<void>): DisposableClient => {
    const client = defineClient({ ...options, apiKey, baseUrl, profile, transport });
    const close = async () => {
      await client.close();
      await closeTransport?.();
    };
    return { ...client, close, [Symbol.asyncDispose]: close };
  };
  if (customTransport) return create(customTransport);
  const undici = createUndiciTransport({ dispatcher });
  const overFetch = createFetchTransport();
  const transport: Transport = async (request) => (dispatcher || (await loadUndici()) ? undici : overFetch)(request);
  return create(transport, undici.close);
}

/** Names the environment variable in the error. */
function readProfileFromEnvironment(path: string): ServiceProfile {
  try {
    return readProfileSync(path);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`DOCSHARE_PROFILE: ${error.message}`) : error;
  }
}
