import { Agent, type buildConnector } from 'undici';
import { isPublicAddress } from '../../../src/public-address.ts';
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { setBounded } from '../../bounded-map.ts';
import { createPublicLookup, parsePublicUrl } from '../../files/public-url.ts';
import type { StateProvider } from '../../state/shared-state.ts';
import { createIpRateLimiter, createKeyRateLimiter } from '../http/ip-rate-limiter.ts';
import { OAuthRequestError, RETRY_AFTER_S } from './oauth-request-error.ts';

/** Client ID Metadata Documents: the client's id is the URL of its metadata. */
export interface ClientMetadataDocuments {
  /**
   * @param address of the caller, whose look-ups are limited.
   * @throws OAuthRequestError `invalid_client` if there is no valid document, `temporarily_unavailable` if its host
   * can't be reached or there were too many look-ups.
   */
  fetch(id: string, address: string): Promise<JsonObject>;
  /** Keeps the document of an app that a person signed in with for times when it can't be looked up. */
  keep(id: string): void;
  /** False for an hour after no host could be reached: apps register instead. */
  isOffered(): Promise<boolean>;
}

/** For servers without outbound internet. */
export const NO_CLIENT_DOCUMENTS: ClientMetadataDocuments = {
  fetch: async () => {
    throw createInvalidClientError('this server fetches no metadata documents; register the app instead');
  },
  keep: () => undefined,
  isOffered: async () => false,
};

const MAX_DOCUMENT_BYTES = 32 * 1024;
const FETCH_TIMEOUT_MS = 5000;
const MAX_ID_LENGTH = 2048;
const MAX_CACHED_DOCUMENTS = 500;
const MAX_CONCURRENT_FETCHES = 200;
/** Look-ups per minute and replica that no cache answers: of one network, and of one host. */
const [MAX_FETCHES_PER_NETWORK, MAX_FETCHES_PER_HOST] = [10, 60];
const FAILURE_TTL_MS = RETRY_AFTER_S * 1000;
const [MIN_TTL_MS, DEFAULT_TTL_MS, MAX_TTL_MS] = [60_000, 10 * 60_000, 24 * 60 * 60_000];
const UNREACHABLE_TTL_MS = 60 * 60_000;
const UNREACHABLE_KEY = 'client documents unreachable';

interface LookUp {
  readonly promise: Promise<JsonObject>;
  until: number;
  /** Set once it has arrived. */
  document?: JsonObject;
}

/**
 * Fetches documents from the public internet without following redirects, and caches them as long as they
 * allow, within limits. Failures are cached for 30 s, so that this server can't be used to flood another.
 */
export function createClientMetadataDocuments(options: {
  state: StateProvider;
  isAllowed?: (address: string) => boolean;
  connect?: buildConnector.BuildOptions;
  now?: () => number;
}): ClientMetadataDocuments {
  const { state, isAllowed = isPublicAddress, connect = {}, now = Date.now } = options;
  const lookUps = new Map<string, LookUp>();
  const stored = new Map<string, JsonObject>();
  const addressLimiter = createIpRateLimiter(MAX_FETCHES_PER_NETWORK, now);
  const hostLimiter = createKeyRateLimiter(MAX_FETCHES_PER_HOST, now);
  let activeFetches = 0;
  let reachedAt = Number.NEGATIVE_INFINITY;

  async function fetchDocument(id: string): Promise<{ document: JsonObject; ttlMs: number }> {
    const url = parseAllowedUrl(id, isAllowed);
    const dispatcher = new Agent({ connect: { ...connect, lookup: createPublicLookup(isAllowed), timeout: 3000 } });
    try {
      const response = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
        headers: { accept: 'application/json' },
      });
      reachedAt = now();
      const { statusCode, headers } = response;
      if (statusCode >= 500) throw createUnreachableError(url.hostname);
      if (statusCode !== 200) throw createInvalidClientError(`its URL returned status ${statusCode}, not 200`);
      if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(String(headers['content-type'] ?? '')))
        throw createInvalidClientError('its URL did not return JSON');
      const document = parse(await readLimited(response.body));
      if (document['client_id'] !== id) throw createInvalidClientError('its document names another client_id');
      return { document, ttlMs: getTtlMs(String(headers['cache-control'] ?? '')) };
    } catch (error) {
      if (error instanceof OAuthRequestError) throw error;
      // The same for a name that is unknown, closed or internal, so that nobody can tell them apart.
      await recordUnreachable();
      throw createUnreachableError(url.hostname);
    } finally {
      await dispatcher.destroy();
    }
  }

  /** If a host answered lately, only this one has failed. */
  async function recordUnreachable(): Promise<void> {
    if (now() - reachedAt < UNREACHABLE_TTL_MS) return;
    await (await state()).writeEventually(UNREACHABLE_KEY, {}, now() + UNREACHABLE_TTL_MS);
  }

  function lookUp(id: string, address: string): Promise<JsonObject> {
    const known = lookUps.get(id);
    if (known && known.until > now()) return known.promise;
    const wait = addressLimiter.take(address) ?? hostLimiter.take(new URL(id).host);
    if (wait !== undefined || activeFetches >= MAX_CONCURRENT_FETCHES)
      throw new OAuthRequestError('temporarily_unavailable', 'Too many app lookups in progress. Try again.', 503);
    activeFetches += 1;
    const fetching = fetchDocument(id).finally(() => {
      activeFetches -= 1;
    });
    const entry: LookUp = { promise: fetching.then(({ document }) => document), until: now() + FETCH_TIMEOUT_MS };
    lookUps.delete(id);
    setBounded(lookUps, MAX_CACHED_DOCUMENTS, [id, entry]);
    fetching.then(
      ({ document, ttlMs }) => Object.assign(entry, { document, until: now() + ttlMs }),
      () => Object.assign(entry, { until: now() + FAILURE_TTL_MS }),
    );
    return entry.promise;
  }

  return {
    async fetch(id, address) {
      validateId(id);
      try {
        return await lookUp(id, address);
      } catch (error) {
        const document = stored.get(id);
        if (document && error instanceof OAuthRequestError && error.status === 503) return document;
        stored.delete(id);
        throw error;
      }
    },
    keep(id) {
      const document = lookUps.get(id)?.document;
      if (document) setBounded(stored, MAX_CACHED_DOCUMENTS, [id, document]);
    },
    async isOffered() {
      return (await (await state()).get(UNREACHABLE_KEY).catch(() => undefined)) === undefined;
    },
  };
}

/** Rejects IP addresses that are not public. The address of a name is checked when it is looked up. */
function parseAllowedUrl(id: string, isAllowed: (address: string) => boolean): URL {
  try {
    return parsePublicUrl(id, isAllowed);
  } catch {
    throw createInvalidClientError('its URL is not on the public internet');
  }
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

function createUnreachableError(hostname: string): OAuthRequestError {
  return new OAuthRequestError(
    'temporarily_unavailable',
    `This server could not reach ${hostname} to check the app. Operator: allow outbound HTTPS, or start the server with --no-client-documents.`,
    503,
  );
}
