import type { Socket } from 'node:net';
import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { InputError } from '../errors.ts';
import { type BodyStream, createBodyStream } from './body-stream.ts';
import type { DecodedBody, RequestBody, Transport, TransportResponse } from './transport.ts';

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
  const { dispatcher: customDispatcher, connectTimeoutMs = 10_000 } = options;
  const connections = customDispatcher
    ? { get: () => customDispatcher, close: async () => undefined }
    : createConnections(() => createDispatcher(connectTimeoutMs));
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
      return await dispatchRequest(connections.get(), request, signal);
    } catch (error) {
      // A request without a connection leaves its body open.
      if (requestBody instanceof Readable) requestBody.destroy();
      throw error;
    }
  };
  return Object.assign(transport, { close: connections.close });
}

/** Returns false in runtimes that replace undici with a stub, such as Bun. */
export function isUndiciAvailable(): boolean {
  return typeof Agent?.prototype.dispatch === 'function' && process.versions['bun'] === undefined;
}

/** Idle time, by the wall clock, after which connections are not used again: below the usual limits of servers. */
const MAX_IDLE_MS = 2000;

/**
 * Replaces connections after idle time. undici's own timers stop while a process is frozen (Lambda, sleep, a blocked
 * event loop), so a write on a connection that the service closed meanwhile would have an unknown outcome.
 */
function createConnections(create: () => Dispatcher) {
  let current = create();
  let usedAt = Date.now();
  let isClosed = false;
  const open = new Set([current]);
  return {
    get(): Dispatcher {
      const now = Date.now();
      if (Math.abs(now - usedAt) > MAX_IDLE_MS && !isClosed) {
        const idle = current;
        const forget = () => open.delete(idle);
        // Waits for running requests.
        idle.close().then(forget, forget);
        current = create();
        open.add(current);
      }
      usedAt = now;
      return current;
    },
    async close() {
      isClosed = true;
      await Promise.all([...open].map((one) => one.destroy()));
    },
  };
}

function createDispatcher(connectTimeoutMs: number): Dispatcher {
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  const settings = {
    // On HTTP/2, a broken connection makes the outcome of every call on it unknown; on 1.1 of one call.
    allowH2: false,
    // The core has its own timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const { env } = process;
  const hasProxy = [env['https_proxy'], env['HTTPS_PROXY'], env['http_proxy'], env['HTTP_PROXY']].some(Boolean);
  if (hasProxy)
    try {
      return new EnvHttpProxyAgent({
        ...settings,
        connect: { timeout: connectTimeoutMs },
        connectTimeout: connectTimeoutMs,
      });
    } catch {
      throw new InputError('HTTPS_PROXY and HTTP_PROXY must be URLs, such as http://proxy.example.com:8080.');
    }
  return new Agent({
    ...settings,
    connect: (options, callback) =>
      connect(options, (...result) => {
        if (result[1]) delayWriteErrors(result[1]);
        callback(...result);
      }),
  });
}

/** Time to read a response that came before a write failed. */
const EARLY_RESPONSE_MS = 100;

/**
 * Delays the error of a failed write. A service that rejects an upload early closes the connection: the next write
 * fails and destroys the socket, although the response is still unread.
 */
function delayWriteErrors(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  type Callback = (error?: Error | null) => void;
  const delay =
    (callback: Callback): Callback =>
    (error) =>
      error ? void setTimeout(callback, EARLY_RESPONSE_MS, error) : callback();
  socket._write = (chunk, encoding, callback) => write(chunk, encoding, delay(callback));
  if (writev) socket._writev = (chunks, callback) => writev(chunks, delay(callback));
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
): AsyncIterable<Uint8Array> | DecodedBody {
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
  return Object.assign(allowEmptyBody(encoded.pipe(decoder)), { compressedBytes: () => decoder.bytesWritten });
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
