import { Readable } from 'node:stream';
import type { HttpRequestOptions, RawHttpResponse, ZObject } from 'zapier-platform-core';
import type { Transport } from './client-core.ts';
import { getStepRun } from './step-run.ts';
import { createTruncationGuard } from './truncated-responses.ts';

/**
 * The core's transport over `z.request`, so that a Zap's history shows each call.
 *
 * `merge: false` keeps the platform from refusing user text that holds `{{bundle.…}}`; `throwForThrottlingEarly: false`
 * lets the core see a 429 itself, since the platform reads a `Retry-After` in seconds only; `redirect: 'manual'` leaves
 * each hop to the core, which knows where the key may go.
 */
export function createZapTransport(z: ZObject): Transport {
  return async ({ method, url, headers, body, signal }) => {
    const truncationGuard = createTruncationGuard();
    const request = {
      url,
      agent: truncationGuard.agent,
      method: method as NonNullable<HttpRequestOptions['method']>,
      // The platform logs each call once when it knows the caller by this name.
      headers: { ...capitalizeAuthorization(headers), 'user-agent': 'Zapier' },
      ...(body === undefined ? {} : { body: toBody(body) }),
      ...(signal ? { signal } : {}),
      raw: true as const,
      // The core has put the key where it belongs.
      middlewareData: { keyed: true },
      merge: false,
      redirect: 'manual' as const,
      skipThrowForStatus: true,
      throwForThrottlingEarly: false,
    };
    const run = headers['authorization'] === undefined ? undefined : getStepRun(z);
    run?.recordRequest({ method, url });
    const response = await z.request(request).catch((error: unknown) => {
      // Whether it may have been done is the core's to say.
      run?.recordRequest({ method, url, status: 0 });
      throw error;
    });
    run?.recordRequest({ method, url, status: response.status });
    if (response.body) truncationGuard.guard(response.body);
    return { status: response.status, headers: readHeaders(response), body: readBody(response) };
  };
}

/** The platform makes the template of its own API requests from what it sees here; people know the header like this. */
function capitalizeAuthorization({
  authorization,
  ...headers
}: Readonly<Record<string, string>>): Record<string, string> {
  return authorization === undefined ? headers : { Authorization: authorization, ...headers };
}

function toBody(
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
): string | Buffer | NodeJS.ReadableStream {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Readable.from(body);
}

function readHeaders(response: RawHttpResponse): Record<string, string> {
  const headers: Record<string, string> = {};
  const rawHeaders: unknown = response.headers;
  // The platform derives the auth template from a stub answer, whose headers are a plain object.
  if (rawHeaders && typeof (rawHeaders as Headers).forEach === 'function') {
    (rawHeaders as Headers).forEach((value, name) => {
      headers[name.toLowerCase()] = value;
    });
  }
  // The body arrives decompressed: its coded length would be wrong.
  if (headers['content-encoding'] !== undefined) delete headers['content-length'];
  return headers;
}

function readBody(response: RawHttpResponse): AsyncIterable<Uint8Array> {
  const { body } = response as { body?: AsyncIterable<Uint8Array> };
  return body ?? Readable.from([Buffer.from('{}')]);
}
