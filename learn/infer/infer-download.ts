import { DOWNLOAD_URL_FIELDS } from '../../src/assumptions/index.ts';
import { getValueAt } from '../../src/profile/check-schema.ts';
import type { ServiceFacts } from '../../src/profile/service-profile.ts';
import { isObject } from '../../src/records/fields.ts';
import { EXPIRY_PARAMS } from '../assumptions.ts';
import { findJsonPath, findNamedPath, type JsonPath } from '../probes/json-path.ts';
import type { RecordedResponse } from '../probes/session.ts';

/** Infers how a file is returned. The URL itself is not kept. */
export function inferDownload(response: RecordedResponse | undefined, origin: string): ServiceFacts['download'] {
  if (!response) return undefined;
  const { status, headers, json } = response;
  if (status >= 300 && status < 400)
    return { by: 'redirect', status, ...inferUrlFacts(headers['location'] ?? '', response, origin) };
  if (!response.ok) return undefined;
  if (json === undefined) return { by: 'bytes', status };
  const at = findUrlPath(json);
  if (!at) return undefined;
  const url = String(getValueAt(json, at));
  return { by: 'url', status, at: [...at], ...inferUrlFacts(url, response, origin) };
}

function findUrlPath(json: unknown): JsonPath | undefined {
  const isUrl = (value: unknown) => typeof value === 'string' && /^(?:https?:\/\/|\/)/i.test(value);
  for (const field of DOWNLOAD_URL_FIELDS) {
    const at = findNamedPath(json, [field], isUrl);
    if (at) return at;
  }
  return findJsonPath(isObject(json) ? json : {}, isUrl);
}

/** Returns whether a URL is on the API's origin, and its declared TTL. */
export function inferUrlFacts(
  rawUrl: string,
  { headers, at }: RecordedResponse,
  origin: string,
): { sameOrigin?: boolean; ttlSeconds?: number } {
  const url = URL.parse(rawUrl, origin);
  if (!url) return {};
  const now = Date.parse(headers['date'] ?? '') || at;
  const ttlSeconds = parseTtlSeconds(url.searchParams, now);
  return { sameOrigin: url.origin === origin, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
}

/** Parses the TTL of a URL: a duration in seconds, or a Unix time in seconds or milliseconds. */
function parseTtlSeconds(params: URLSearchParams, now: number): number | undefined {
  for (const name of EXPIRY_PARAMS) {
    const value = Number(params.get(name) || Number.NaN);
    if (!Number.isFinite(value) || value <= 0) continue;
    const seconds = value > 1e11 ? (value - now) / 1000 : value > 1e8 ? value - now / 1000 : value;
    if (seconds > 0 && seconds < 1e8) return Math.ceil(seconds);
  }
  return undefined;
}
