import { Agent, type buildConnector } from 'undici';
import { isObject, type JsonObject } from '../../../src/answer/fields.ts';
import { createPublicLookup, isPublicAddress, parsePublicUrl } from '../../files/public-address.ts';
import { ToolError } from '../../tool-error.ts';
import { OAuthFault } from './oauth-fault.ts';

/** Client ID Metadata Documents: a client's id is the address at which it says who it is. */
export interface ClientDocuments {
  /** @throws OAuthFault `invalid_client` where there is no sound document. */
  fetch(id: string): Promise<JsonObject>;
}

const SIZE_LIMIT_BYTES = 32 * 1024;
const FETCH_TIMEOUT_MS = 5000;
const ID_LIMIT = 2048;
const KEPT = 500;
const LOADING_LIMIT = 50;
const FAILURE_TTL_MS = 30_000;
const [MIN_TTL_MS, DEFAULT_TTL_MS, MAX_TTL_MS] = [60_000, 10 * 60_000, 24 * 60 * 60_000];

interface Fetched {
  readonly document: JsonObject;
  readonly keepMs: number;
}

/**
 * Fetches documents from the public internet alone, with no redirect, and keeps them as long as they say, within bounds.
 * Whatever is wrong with one is kept for half a minute, so that nobody can have another server asked over and over.
 */
export function createClientDocuments(
  options: {
    isOpen?: (address: string) => boolean;
    connect?: buildConnector.BuildOptions;
    now?: () => number;
  } = {},
): ClientDocuments {
  const { isOpen = isPublicAddress, connect = {}, now = Date.now } = options;
  const kept = new Map<string, { answer: Promise<JsonObject>; until: number }>();

  let loadings = 0;

  async function load(id: string): Promise<Fetched> {
    const dispatcher = new Agent({
      connect: { ...connect, lookup: createPublicLookup(isOpen), timeout: 3000 },
    });
    try {
      const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
      const url = parsePublicUrl(id, isOpen);
      const response = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        signal,
        headers: { accept: 'application/json' },
      });
      const { statusCode, headers } = response;
      if (statusCode !== 200) throw refused(`its address answers with status ${statusCode}, not 200`);
      if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(String(headers['content-type'] ?? '')))
        throw refused('its address answers with no JSON');
      const document = parse(await readCapped(response.body));
      if (document['client_id'] !== id) throw refused('its document names another client_id');
      return { document, keepMs: keepMs(String(headers['cache-control'] ?? '')) };
    } catch (error) {
      if (error instanceof OAuthFault) throw error;
      if (error instanceof ToolError) throw refused('its address is not on the public internet');
      throw refused('its address could not be reached');
    } finally {
      await dispatcher.destroy();
    }
  }

  return {
    async fetch(id) {
      checkId(id);
      const known = kept.get(id);
      if (known && known.until > now()) return known.answer;
      if (loadings >= LOADING_LIMIT)
        throw new OAuthFault('temporarily_unavailable', 'Too many apps are being looked up; try again.', 503);
      loadings += 1;
      const loading = load(id).finally(() => {
        loadings -= 1;
      });
      const entry = { answer: loading.then(({ document }) => document), until: now() + FETCH_TIMEOUT_MS };
      // Whoever asks gets the failure; here nobody waits for it.
      entry.answer.catch(() => undefined);
      kept.delete(id);
      const [oldest] = kept.keys();
      if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(id, entry);
      loading.then(
        ({ keepMs }) => {
          entry.until = now() + keepMs;
        },
        () => {
          entry.until = now() + FAILURE_TTL_MS;
        },
      );
      return entry.answer;
    },
  };
}

/** One address has one id: nothing in it that a parser would change. */
function checkId(id: string): void {
  const url = URL.canParse(id) ? new URL(id) : undefined;
  const isPlain = url?.href === id && url.protocol === 'https:' && url.pathname !== '/';
  if (!isPlain || url.hash !== '' || url.username !== '' || url.password !== '' || id.length > ID_LIMIT)
    throw refused('it is no plain https:// address with a path');
}

async function readCapped(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > SIZE_LIMIT_BYTES) throw refused(`its document is longer than ${SIZE_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): JsonObject {
  try {
    const document: unknown = JSON.parse(text);
    if (isObject(document)) return document;
  } catch {
    // Told below.
  }
  throw refused('its document is no JSON object');
}

function keepMs(cacheControl: string): number {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl) ?? [];
  const wanted = /no-store|no-cache/i.test(cacheControl)
    ? 0
    : Number(seconds ?? DEFAULT_TTL_MS / 1000) * 1000;
  return Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, wanted));
}

function refused(why: string): OAuthFault {
  return new OAuthFault('invalid_client', `The client_id can't be used: ${why}.`, 401);
}
