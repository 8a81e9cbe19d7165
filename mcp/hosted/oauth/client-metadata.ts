import { Agent, type buildConnector } from 'undici';
import { isPublicAddress } from '../../../src/public-address.ts';
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { setBounded } from '../../bounded-map.ts';
import { createPublicLookup, parsePublicUrl } from '../../files/public-address.ts';
import { ToolError } from '../../tool-error.ts';
import { OAuthRequestError, RETRY_AFTER_S } from './oauth-request-error.ts';

/** Client ID Metadata Documents: the client's id is the URL of its metadata. */
export interface ClientMetadataDocuments {
  /**
   * @throws OAuthRequestError `invalid_client` if there is no valid document, `temporarily_unavailable` if its host
   * can't be reached.
   */
  fetch(id: string): Promise<JsonObject>;
}

/** For servers without outbound internet. */
export const NO_CLIENT_DOCUMENTS: ClientMetadataDocuments = {
  fetch: async () => {
    throw createInvalidClientError('this server fetches no metadata documents; register the app instead');
  },
};

const MAX_DOCUMENT_BYTES = 32 * 1024;
const FETCH_TIMEOUT_MS = 5000;
const MAX_ID_LENGTH = 2048;
const MAX_CACHED_DOCUMENTS = 500;
const MAX_CONCURRENT_FETCHES = 50;
const FAILURE_TTL_MS = RETRY_AFTER_S * 1000;
const [MIN_TTL_MS, DEFAULT_TTL_MS, MAX_TTL_MS] = [60_000, 10 * 60_000, 24 * 60 * 60_000];

interface FetchedDocument {
  readonly document: JsonObject;
  readonly ttlMs: number;
}

/**
 * Fetches documents from the public internet without following redirects, and caches them as long as they
 * allow, within limits. Failures are cached for 30 s, so that this server can't be used to flood another.
 */
export function createClientMetadataDocuments(
  options: { isAllowed?: (address: string) => boolean; connect?: buildConnector.BuildOptions; now?: () => number } = {},
): ClientMetadataDocuments {
  const { isAllowed = isPublicAddress, connect = {}, now = Date.now } = options;
  const cache = new Map<string, { promise: Promise<JsonObject>; until: number }>();

  let activeFetches = 0;

  async function fetchDocument(id: string): Promise<FetchedDocument> {
    const dispatcher = new Agent({ connect: { ...connect, lookup: createPublicLookup(isAllowed), timeout: 3000 } });
    try {
      const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
      const url = parsePublicUrl(id, isAllowed);
      const response = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        signal,
        headers: { accept: 'application/json' },
      });
      const { statusCode, headers } = response;
      if (statusCode !== 200) throw createInvalidClientError(`its URL returned status ${statusCode}, not 200`);
      if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(String(headers['content-type'] ?? '')))
        throw createInvalidClientError('its URL did not return JSON');
      const document = parse(await readLimited(response.body));
      if (document['client_id'] !== id) throw createInvalidClientError('its document names another client_id');
      return { document, ttlMs: getTtlMs(String(headers['cache-control'] ?? '')) };
    } catch (error) {
      if (error instanceof OAuthRequestError) throw error;
      if (error instanceof ToolError) throw createInvalidClientError('its URL is not on the public internet');
      throw new OAuthRequestError(
        'temporarily_unavailable',
        `This server could not reach ${new URL(id).hostname} to check the app. Operator: allow outbound HTTPS, or start the server with --no-client-documents.`,
        503,
      );
    } finally {
      await dispatcher.destroy();
    }
  }

  return {
    async fetch(id) {
      validateId(id);
      const known = cache.get(id);
      if (known && known.until > now()) return known.promise;
      if (activeFetches >= MAX_CONCURRENT_FETCHES)
        throw new OAuthRequestError('temporarily_unavailable', 'Too many app lookups in progress. Try again.', 503);
      activeFetches += 1;
      const fetching = fetchDocument(id).finally(() => {
        activeFetches -= 1;
      });
      const entry = { promise: fetching.then(({ document }) => document), until: now() + FETCH_TIMEOUT_MS };
      // The caller handles the failure.
      entry.promise.catch(() => undefined);
      cache.delete(id);
      setBounded(cache, MAX_CACHED_DOCUMENTS, [id, entry]);
      fetching.then(
        ({ ttlMs }) => {
          entry.until = now() + ttlMs;
        },
        () => {
          entry.until = now() + FAILURE_TTL_MS;
        },
      );
      return entry.promise;
    },
  };
}

/** A URL has exactly one id: nothing in it may change when parsed. */
function validateId(id: string): void {
  const url = URL.canParse(id) ? new URL(id) : undefined;
  const isPlain = url?.href === id && url.protocol === 'https:' && url.pathname !== '/';
  if (!isPlain || url.hash !== '' || url.username !== '' || url.password !== '' || id.length > MAX_ID_LENGTH)
    throw createInvalidClientError('it is not a plain https:// URL with a path');
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_DOCUMENT_BYTES)
      throw createInvalidClientError(`its document is longer than ${MAX_DOCUMENT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): JsonObject {
  try {
    const document: unknown = JSON.parse(text);
    if (isObject(document)) return document;
  } catch {
    // Reported below.
  }
  throw createInvalidClientError('its document is not a JSON object');
}

function getTtlMs(cacheControl: string): number {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl) ?? [];
  const requestedMs = /no-store|no-cache/i.test(cacheControl) ? 0 : Number(seconds ?? DEFAULT_TTL_MS / 1000) * 1000;
  return Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, requestedMs));
}

function createInvalidClientError(reason: string): OAuthRequestError {
  return new OAuthRequestError('invalid_client', `The client_id can't be used: ${reason}.`, 401);
}
