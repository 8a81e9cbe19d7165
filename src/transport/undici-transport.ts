import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { InputError } from '../errors.ts';
import { checkOptionNames } from '../option-names.ts';
import { type BodyStream, createBodyStream } from './body-stream.ts';
import { decodeBody } from './decode-body.ts';
import { getProxies, nameProxyInErrors, type Proxies } from './proxy-settings.ts';
import { createUnsentError, type RequestBody, type Transport, type TransportResponse } from './transport.ts';

export interface UndiciTransportOptions {
  readonly connectTimeoutMs?: number | undefined;
  /** Your dispatcher (undici 7 or newer) with connections, proxies, certificates; never closed here. */
  readonly dispatcher?: Dispatcher | undefined;
}

/**
 * Creates a transport over undici, with your dispatcher or its own connections (a bare `request(url)` may run
 * on Node's built-in copy). Uses the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. `close()` destroys
 * its own connections and running requests instead of waiting for hung responses.
 * @throws InputError for another dispatcher or an invalid proxy.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): Transport & { close(): Promise<void> } {
  checkOptionNames('createUndiciTransport', options, { connectTimeoutMs: true, dispatcher: true });
  const { dispatcher: customDispatcher, connectTimeoutMs = 10_000 } = options;
  if (customDispatcher && typeof customDispatcher.dispatch !== 'function')
    throw new InputError(
      'The `dispatcher` must be a Dispatcher of undici, such as `new ProxyAgent(url)`; an http.Agent is not one.',
    );
  const proxies = customDispatcher ? undefined : getProxies();
  const connections = createConnections((undici) => createDispatcher(undici, { connectTimeoutMs, proxies }));
  const splitUrl = createUrlSplitter();
  const transport: Transport = async ({ method, url, headers, body, signal }) => {
    const undici = customDispatcher ? undefined : await loadUndici();
    if (signal?.aborted) throw createUnsentError({ cause: signal.reason });
    const dispatcher = customDispatcher ?? connections.get(undici);
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
  return Object.assign(transport, { close: connections.close });
}

type Undici = typeof import('undici');

let loading: Promise<Undici | undefined> | undefined;

/**
 * Loads undici when the first request needs it. Returns undefined if it can't run: on Bun, which replaces it with a
 * stub, on Cloudflare Workers, and in ESM bundles of esbuild without a `require`.
 */
export function loadUndici(): Promise<Undici | undefined> {
  const isStub = 'bun' in process.versions || navigator.userAgent === 'Cloudflare-Workers';
  loading ??= isStub ? Promise.resolve(undefined) : import('undici').catch(() => undefined);
  return loading;
}

/** Idle time, by the wall clock, after which connections are not used again: below the usual limits of servers. */
const MAX_IDLE_MS = 2000;

/**
 * Replaces connections after idle time. undici's own timers stop while a process is frozen (Lambda, sleep, a blocked
 * event loop), so a write on a connection that the service closed meanwhile would have an unknown outcome.
 */
function createConnections(create: (undici: Undici) => Dispatcher) {
  let current: Dispatcher | undefined;
  let usedAt = 0;
  let isClosed = false;
  const open = new Set<Dispatcher>();
  return {
    get(undici: Undici | undefined): Dispatcher {
      const code = isClosed ? 'UND_ERR_DESTROYED' : 'UNDICI_UNAVAILABLE';
      if (isClosed || !undici) throw createUnsentError({ cause: Object.assign(new Error(code), { code }) });
      const now = Date.now();
      if (current && Math.abs(now - usedAt) > MAX_IDLE_MS) {
        const idle = current;
        const forget = () => open.delete(idle);
        // Waits for running requests.
        idle.close().then(forget, forget);
        current = undefined;
      }
      usedAt = now;
      current ??= create(undici);
      open.add(current);
      return current;
    },
    async close() {
      isClosed = true;
      await Promise.all([...open].map((one) => one.destroy()));
    },
  };
}

function createDispatcher(
  { Agent, EnvHttpProxyAgent, Pool, buildConnector }: Undici,
  { connectTimeoutMs, proxies }: { connectTimeoutMs: number; proxies: Proxies | undefined },
): Dispatcher {
  const settings = {
    // On HTTP/2, a broken connection makes the outcome of every call on it unknown; on 1.1 of one call.
    allowH2: false,
    // The core has its own timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (proxies)
    return new EnvHttpProxyAgent({
      ...settings,
      ...proxies,
      connect: { timeout: connectTimeoutMs },
      connectTimeout: connectTimeoutMs,
      clientFactory: (url, poolOptions) => new Pool(url, nameProxyInErrors(url, poolOptions)),
    });
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
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
      reject(controller ? signal?.reason : createUnsentError({ cause: signal?.reason }));
    };
    const finish = (error?: Error) => {
      signal?.removeEventListener('abort', onAbort);
      bodyStream?.end(error);
      if (error) reject(controller ? error : createUnsentError({ cause: error }));
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
        const owner = String((request.headers as Record<string, string>)['authorization'] ?? '');
        const body = Object.assign(decodeBody(bodyStream.body, { status, headers }), { owner, cancel });
        resolve({ status, headers, body });
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
