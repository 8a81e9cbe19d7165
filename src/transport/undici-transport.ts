import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { type BodyStream, createBodyStream } from './body-stream.ts';
import type { RequestBody, Transport, TransportResponse } from './transport.ts';

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  // Not requested, but some services send it anyway.
  ['deflate', createInflate],
]);

export interface UndiciTransportOptions {
  readonly connectTimeoutMs?: number | undefined;
  /** Your dispatcher (undici 7 or newer) with connections, proxies, certificates; never closed here. */
  readonly dispatcher?: Dispatcher | undefined;
}

/**
 * Creates a transport over undici, with your dispatcher or its own connections (a bare `request(url)` may run
 * on Node's built-in copy). Uses the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. `close()` destroys
 * its own connections and running requests instead of waiting for hung responses.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): Transport & { close(): Promise<void> } {
  const dispatcher = options.dispatcher ?? createDispatcher(options.connectTimeoutMs ?? 10_000);
  const splitUrl = createUrlSplitter();
  const transport: Transport = async ({ method, url, headers, body, signal }) => {
    if (signal?.aborted) throw createUnsentError(signal.reason);
    const requestBody = body === undefined ? undefined : toRequestBody(body);
    const request: Dispatcher.DispatchOptions = {
      ...splitUrl(url),
      // undici types the method as a closed union of verbs; ours come from the catalog.
      method: method as 'GET',
      headers: { 'accept-encoding': 'gzip, br', ...headers },
      body: requestBody ?? null,
    };
    try {
      return await dispatchRequest(dispatcher, request, signal);
    } catch (error) {
      // A request without a connection leaves its body open.
      if (requestBody instanceof Readable) requestBody.destroy();
      throw error;
    }
  };
  const close = options.dispatcher ? async () => undefined : () => dispatcher.destroy();
  return Object.assign(transport, { close });
}

function createDispatcher(connectTimeoutMs: number): Dispatcher {
  const settings = {
    connect: { timeout: connectTimeoutMs },
    // On HTTP/2, a broken connection makes the outcome of every call on it unknown; on 1.1 of one call.
    allowH2: false,
    // The core has its own timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const { env } = process;
  const hasProxy = [env['https_proxy'], env['HTTPS_PROXY'], env['http_proxy'], env['HTTP_PROXY']].some(Boolean);
  return hasProxy ? new EnvHttpProxyAgent({ ...settings, connectTimeout: connectTimeoutMs }) : new Agent(settings);
}

/** Splits URLs; consecutive ones to the same origin with a plain path need no parser. */
function createUrlSplitter(): (url: string) => { origin: string; path: string } {
  let lastOrigin = '';
  return (url) => {
    if (lastOrigin !== '' && url.startsWith(lastOrigin) && PLAIN_PATH.test(url.slice(lastOrigin.length)))
      return { origin: lastOrigin, path: url.slice(lastOrigin.length) };
    const { origin, pathname, search } = new URL(url);
    lastOrigin = origin;
    return { origin, path: `${pathname}${search}` };
  };
}

/** Paths that a parser would not change: no dot segment, nothing to encode, no fragment. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~%-]*)+(?:\?[\w.~%=&+-]*)?$/;

/** Error for a request of which nothing was sent. */
function createUnsentError(cause: unknown): Error {
  return Object.assign(new Error('The request was not sent', { cause }), { unsent: true });
}

/** undici's own `request` creates an async resource and a stream per call: too slow for small responses. */
function dispatchRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let bodyStream: BodyStream | undefined;
    const onAbort = () => {
      controller?.abort(signal?.reason);
      // A request that waits for its connection can't be aborted yet.
      reject(controller ? signal?.reason : createUnsentError(signal?.reason));
    };
    const finish = (error?: Error) => {
      signal?.removeEventListener('abort', onAbort);
      bodyStream?.end(error);
      if (error) reject(controller ? error : createUnsentError(error));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    dispatcher.dispatch(request, {
      onRequestStart(dispatchController) {
        controller = dispatchController;
        if (signal?.aborted) dispatchController.abort(signal.reason);
      },
      onResponseStart(dispatchController, status, rawHeaders) {
        // An interim response; the final one follows.
        if (status < 200) return;
        const cancel = () => dispatchController.abort(new Error('The body was cancelled'));
        bodyStream = createBodyStream({
          pause: () => dispatchController.pause(),
          resume: () => dispatchController.resume(),
          cancel,
        });
        const headers = joinHeaders(rawHeaders);
        resolve({ status, headers, body: decode(bodyStream.body, status, headers) });
      },
      onResponseData: (_, chunk) => bodyStream?.push(chunk),
      onResponseEnd: () => finish(),
      onResponseError: (_, error) => finish(error),
    });
  });
}

function joinHeaders(rawHeaders: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in rawHeaders) {
    const value = rawHeaders[name];
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

function toRequestBody(body: RequestBody): string | Uint8Array | Readable {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  const stream = Readable.from(body);
  // undici listens only while it sends: a later error must not end the process.
  stream.on('error', () => undefined);
  return stream;
}

function decode(
  body: AsyncIterable<Uint8Array>,
  status: number,
  headers: Readonly<Record<string, string>>,
): AsyncIterable<Uint8Array> {
  const createDecoder = DECODERS.get(headers['content-encoding']?.trim().toLowerCase() ?? '');
  // Some services name an encoding without a body.
  if (!createDecoder || status === 204 || status === 205 || status === 304) return body;
  const encoded = Readable.from(body);
  const decoder = createDecoder();
  // pipe() does not forward errors: a truncated body must end the reader too.
  encoded.on('error', (error) => decoder.destroy(error));
  // The body may be cancelled before it is read: that must not end the process.
  decoder.on('error', () => undefined);
  decoder.on('close', () => encoded.destroy());
  return allowEmptyBody(encoded.pipe(decoder));
}

/** An encoded body without bytes is empty, though no encoding produces it. */
async function* allowEmptyBody(decoder: Transform & { readonly bytesWritten: number }): AsyncGenerator<Uint8Array> {
  try {
    yield* decoder;
  } catch (error) {
    if (decoder.bytesWritten > 0 || !isUnexpectedEnd(error)) throw error;
  }
}

function isUnexpectedEnd(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
}
