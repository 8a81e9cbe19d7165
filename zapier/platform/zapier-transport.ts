import { Readable } from 'node:stream';
import type { HttpRequestOptions, RawHttpResponse, ZObject } from 'zapier-platform-core';
import type { Transport } from './client-core.ts';
import { getStepRun } from './step-run.ts';
import { createTruncationGuard } from './truncated-responses.ts';

/**
 * Client transport over `z.request`, so the Zap history shows each call.
 *
 * `merge: false`: else Zapier rejects user text with `{{bundle.…}}`. `throwForThrottlingEarly: false`: Zapier reads
 * only a `Retry-After` in seconds, the client also dates. `redirect: 'manual'`: the client decides where the key may
 * go.
 */
export function createZapTransport(z: ZObject): Transport {
  return async ({ method, url, headers, body, signal }) => {
    const truncationGuard = createTruncationGuard();
    const request = {
      url,
      agent: truncationGuard.agent,
      method: method as NonNullable<HttpRequestOptions['method']>,
      // With this name Zapier logs each call once.
      headers: { ...capitalizeAuthorization(headers), 'user-agent': 'Zapier' },
      ...(body === undefined ? {} : { body: toBody(body) }),
      ...(signal ? { signal } : {}),
      raw: true as const,
      middlewareData: { hasApiKey: true },
      merge: false,
      redirect: 'manual' as const,
      skipThrowForStatus: true,
      throwForThrottlingEarly: false,
    };
    const run = headers['authorization'] === undefined ? undefined : getStepRun(z);
    run?.recordRequest({ method, url });
    const response = await z.request(request).catch((error: unknown) => {
      run?.recordRequest({ method, url, status: 0 });
      throw error;
    });
    run?.recordRequest({ method, url, status: response.status });
    if (response.body) truncationGuard.guard(response.body);
    return { status: response.status, headers: readHeaders(response), body: readBody(response) };
  };
}

/** Zapier shows this header to users in its template for API requests. */
function capitalizeAuthorization({
  authorization,
  ...headers
}: Readonly<Record<string, string>>): Record<string, string> {
  return authorization === undefined ? headers : { Authorization: authorization, ...headers };
}

function toBody(body: string | Uint8Array | AsyncIterable<Uint8Array>): string | Buffer | NodeJS.ReadableStream {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Readable.from(body);
}

function readHeaders(response: RawHttpResponse): Record<string, string> {
  const headers: Record<string, string> = {};
  const rawHeaders: unknown = response.headers;
  // Zapier derives the auth template from a stub response, whose headers are a plain object.
  if (rawHeaders && typeof (rawHeaders as Headers).forEach === 'function') {
    (rawHeaders as Headers).forEach((value, name) => {
      headers[name.toLowerCase()] = value;
    });
  }
  // The body is already decompressed, so the length is wrong.
  if (headers['content-encoding'] !== undefined) delete headers['content-length'];
  return headers;
}

function readBody(response: RawHttpResponse): AsyncIterable<Uint8Array> {
  const { body } = response as { body?: AsyncIterable<Uint8Array> };
  return body ?? Readable.from([Buffer.from('{}')]);
}
