import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Agent, request as undiciRequest } from 'undici';
import type { RequestBody, Transport } from './transport.ts';

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/**
 * A transport over an undici `Agent` of its own: a bare `request(url)` may run on the copy inside Node.
 * `close()` ends its connections and with them whatever is under way: to wait for a hung answer would be to hang too.
 */
export function createUndiciTransport(
  options: { connectTimeoutMs?: number } = {},
): Transport & { close(): Promise<void> } {
  const dispatcher = new Agent({
    connect: { timeout: options.connectTimeoutMs ?? 10_000 },
    // On HTTP/2 one broken connection leaves the outcome of every call on it unknown; on 1.1 of one.
    allowH2: false,
    // The core's own timeouts rule.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const transport: Transport = async ({ method, url, headers, body, signal }) => {
    const source = body === undefined ? undefined : streamOf(body);
    try {
      const response = await undiciRequest(url, {
        dispatcher,
        // undici types the method as a closed union of verbs; ours come from the catalogue.
        method: method as 'GET',
        headers: { 'accept-encoding': 'gzip, br', ...headers },
        ...(source === undefined ? {} : { body: source }),
        ...(signal ? { signal } : {}),
      });
      const responseHeaders: Record<string, string> = {};
      for (const [name, value] of Object.entries(response.headers)) {
        if (value !== undefined) responseHeaders[name] = Array.isArray(value) ? value.join(', ') : value;
      }
      // An answer may be given up before anybody reads its body: that must not end the process.
      response.body.on('error', () => undefined);
      return {
        status: response.statusCode,
        headers: responseHeaders,
        body: decode(response.body, responseHeaders),
      };
    } catch (error) {
      // A request that never reached a connection leaves its body open.
      if (source instanceof Readable) source.destroy();
      throw error;
    }
  };
  return Object.assign(transport, { close: () => dispatcher.destroy() });
}

function streamOf(body: RequestBody): string | Uint8Array | Readable {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  const stream = Readable.from(body);
  // undici listens only while it sends: an error after that must not end the process.
  stream.on('error', () => undefined);
  return stream;
}

function decode(body: Readable, headers: Readonly<Record<string, string>>): AsyncIterable<Uint8Array> {
  const create = DECODERS.get(headers['content-encoding']?.trim().toLowerCase() ?? '');
  if (!create) return body;
  const decoder = create();
  // pipe() does not pass errors on: a cut body has to end the reader too.
  body.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => body.destroy());
  return body.pipe(decoder);
}
