import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request as undiciRequest } from 'undici';
import type { Transport } from './transport.ts';

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

/**
 * A transport over an undici `Agent` of its own: a bare `request(url)` may run on the copy inside Node.
 * `close()` ends its connections.
 */
export function createUndiciTransport(
  options: { connectTimeoutMs?: number } = {},
): Transport & { close(): Promise<void> } {
  const dispatcher = new Agent({
    connect: { timeout: options.connectTimeoutMs ?? 10_000 },
    // The core's own timeouts rule; these only end a dead socket that nobody waits for.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const transport: Transport = async ({ method, url, headers, body, signal }) => {
    const response = await undiciRequest(url, {
      dispatcher,
      // undici types the method as a closed union of verbs; ours come from the catalogue.
      method: method as 'GET',
      headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
      ...(body === undefined ? {} : { body: isIterable(body) ? Readable.from(body) : body }),
      ...(signal ? { signal } : {}),
    });
    const responseHeaders: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) {
      if (value !== undefined) responseHeaders[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    return {
      status: response.statusCode,
      headers: responseHeaders,
      body: decode(response.body, responseHeaders),
    };
  };
  return Object.assign(transport, { close: () => dispatcher.close() });
}

function isIterable(
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

function decode(body: Readable, headers: Record<string, string>): AsyncIterable<Uint8Array> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const create = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding as keyof typeof DECODERS] : undefined;
  if (!create) return body;
  const decoder = create();
  // pipe() does not pass errors on: a cut body has to end the reader too.
  body.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => body.destroy());
  return body.pipe(decoder);
}
