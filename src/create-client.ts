import type { Dispatcher } from 'undici';
import { type Client, type ClientOptions, defineClient } from './client.ts';
import { InputError } from './errors.ts';
import { readProfileSync } from './profile/read-profile.ts';
import type { ServiceProfile } from './profile/service-profile.ts';
import type { Transport } from './transport/transport.ts';
import { createUndiciTransport } from './transport/undici-transport.ts';

type SharedClientOptions = Omit<ClientOptions, 'transport' | 'apiKey' | 'baseUrl' | 'profile'>;

export interface CreateClientOptions extends SharedClientOptions {
  /** From `DOCSHARE_API_KEY` unless given. */
  readonly apiKey?: string | undefined;
  /** From `DOCSHARE_BASE_URL` unless given. */
  readonly baseUrl?: string | undefined;
  /**
   * What was learned of this service, see {@link readProfile}. From the file that `DOCSHARE_PROFILE` names where the base
   * URL comes from the environment too, unless given; null for none.
   */
  readonly profile?: ServiceProfile | null | undefined;
  readonly transport?: Transport | undefined;
  /** Sends all requests, and is never closed here: an undici `Dispatcher` (7 or newer) of the caller's own. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** A client that owns its connections. */
export interface DisposableClient extends Client, AsyncDisposable {
  /** As every client's, and then ends its own connections; a `dispatcher` or `transport` of the caller's stays open. */
  close(): Promise<void>;
}

/**
 * A typed client over undici: one method for each operation of the API, and `upload` for files of any size.
 *
 * `apiKey` and `baseUrl` come from `DOCSHARE_API_KEY` and `DOCSHARE_BASE_URL` unless given. All clients of a process
 * that use one key keep its limit of 120 requests a minute together. `close()` (or `await using`) ends what waits,
 * what is under way and the connections; a client that is never closed does not keep a process alive for long.
 * @throws InputError where the key or the base URL is missing or unusable, or the profile is none of this service.
 * @example
 * import { createClient, NotFoundError } from 'docshare';
 *
 * const client = createClient();
 *
 * const { id } = await client.upload({ path: 'deck.pdf' }, { name: 'Deck' });
 * const link = await client.links.create({ document_id: id, email_required: true });
 * console.log('share this:', link.url);
 *
 * // A list is a promise of its first page, and iterates over all pages.
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
    throw new InputError(
      'No API key: set DOCSHARE_API_KEY, or pass apiKey. Keys are made in Settings → API keys.',
    );
  if (!baseUrl)
    throw new InputError(
      'No base URL: set DOCSHARE_BASE_URL to the address that ends in /api/v1, or pass baseUrl.',
    );
  const path = options.baseUrl === undefined ? process.env['DOCSHARE_PROFILE']?.trim() : undefined;
  const profile =
    (options.profile === undefined && path ? readProfileFromEnvironment(path) : options.profile) ?? undefined;
  const { transport: ownTransport, dispatcher } = options;
  if (ownTransport && dispatcher)
    throw new InputError(
      'Pass `transport` or `dispatcher`, not both: a dispatcher is what the own transport uses.',
    );
  if (ownTransport)
    return toDisposableClient(
      defineClient({ ...options, apiKey, baseUrl, profile, transport: ownTransport }),
      async () => undefined,
    );
  const transport = createUndiciTransport({ dispatcher });
  return toDisposableClient(
    defineClient({ ...options, apiKey, baseUrl, profile, transport }),
    transport.close,
  );
}

/** @throws InputError that says where the profile comes from. */
function readProfileFromEnvironment(path: string): ServiceProfile {
  try {
    return readProfileSync(path);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`DOCSHARE_PROFILE: ${error.message}`) : error;
  }
}

function toDisposableClient(client: Client, disconnect: () => Promise<void>): DisposableClient {
  const close = async () => {
    await client.close();
    await disconnect();
  };
  return { ...client, close, [Symbol.asyncDispose]: close };
}
