import { createServer, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server';
import { toMalformedResponseError } from '../confirm/malformed-response.ts';
import { withCancelledStreamsClosed } from './close-cancelled-streams.ts';
import { withoutKeepAlive } from './connection-header.ts';
import { createHttpSessions, type SessionLimits } from './http-sessions.ts';
import { createRpcError, readJsonBody } from './json-body.ts';
import { SHUTDOWN_TIMEOUT_MS } from './process-shutdown.ts';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Connections that send nothing, slowly, or only half, end; so do those whose other side is gone without a word. */
export const SERVER_LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16 * 1024,
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
};
const MAX_CONNECTIONS = 1024;
/** The other side is gone. */
const DISCONNECT_CODES = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];
/** Streams say a word each 15 s; no tool is silent for so long. */
const SOCKET_TIMEOUT_MS = 10 * 60_000;

/** What Node hears and no `Request` can be made of. */
const UNSUPPORTED_METHODS = ['TRACE', 'TRACK', 'CONNECT'];

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly onError: (error: Error) => void;
  readonly sessions?: SessionLimits;
  readonly limits?: ServerOptions;
}

/**
 * Serves the factory at `/mcp`, both eras: 2026-07-28 request by request, the 2025 revisions in sessions. Names of other
 * hosts are refused (DNS rebinding), as are pages of other origins. Whatever comes, the server goes on. Port 0 picks a
 * free one.
 */
export async function startHttpServer(
  factory: McpServerFactory,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const { host, port, onError } = options;
  const limits = { onerror: onError, maxRequestBodySize: MAX_BODY_BYTES };
  const handler = createMcpHandler(withCancelledStreamsClosed(factory), limits);
  const sessions = createHttpSessions(factory, {
    onError,
    ...(options.sessions ? { limits: options.sessions } : {}),
  });
  const handle = toNodeHandler(
    {
      async fetch(request, handlerOptions) {
        let body: unknown;
        if (request.method === 'POST') {
          const read = await readJsonBody(request, MAX_BODY_BYTES);
          if ('errorResponse' in read) {
            sessions.handleMalformed(request, read.envelopes ?? []);
            return read.errorResponse;
          }
          // Only a session has forms whose answers it waits for.
          body = request.headers.has('mcp-session-id') ? replaceMalformed(read.body) : read.body;
        }
        const isLegacy = await isLegacyRequest(request, body);
        const sessionResponse = isLegacy ? await sessions.fetch(request, body) : undefined;
        return withoutKeepAlive(
          sessionResponse ??
            (await handler.fetch(
              request,
              body === undefined ? handlerOptions : { ...handlerOptions, parsedBody: body },
            )),
        );
      },
    },
    limits,
  );
  const hosts = allowedHosts(host);
  const isHostAllowed = hostHeaderValidation(hosts);
  const isOriginAllowed = originValidation(hosts);
  let running = 0;
  // Who goes away has done nothing wrong: it is how a client ends the stream that it listens to.
  const handleStreamError = (error: NodeJS.ErrnoException) =>
    void (DISCONNECT_CODES.includes(error.code ?? '') || onError(error));
  const server = createServer({ ...SERVER_LIMITS, ...options.limits }, async (request, response) => {
    try {
      request.on('error', handleStreamError);
      response.on('error', handleStreamError);
      if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
      const target = request.url ?? '';
      // Only a plain path: `//` and `/\` begin the name of another host, `http:` another address.
      const path = /^\/(?![/\\])[\w./~%-]*(?=\?|$)/.exec(target)?.[0];
      if (path !== '/mcp') {
        const [status, error] =
          path === undefined
            ? [400, 'The target of the request is no path.']
            : [404, 'The MCP endpoint is /mcp.'];
        response.writeHead(Number(status), { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error }));
        return;
      }
      if (UNSUPPORTED_METHODS.includes(request.method ?? '')) {
        response.writeHead(405, { allow: 'GET, POST, DELETE', 'content-type': 'application/json' });
        response.end(await createRpcError(405, -32_000, 'Method not allowed.').text());
        return;
      }
      if (request.method === 'POST') {
        running++;
        response.once('close', () => running--);
      } else flushHeadersEarly(response);
      // Node types an incoming message as if it could lack its method.
      await handle(request as Parameters<typeof handle>[0], response);
    } catch (error) {
      onError(error instanceof Error ? error : new Error('unknown'));
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SOCKET_TIMEOUT_MS;
  await listen(server, host, port);
  server.on('error', onError);
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}/mcp`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Calls that run may end; streams that only listen would never.
      const until = Date.now() + SHUTDOWN_TIMEOUT_MS;
      while (running > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
      await Promise.all([handler.close(), sessions.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The same messages, with what to hear in the place of answers that are none. */
function replaceMalformed(body: unknown): unknown {
  return Array.isArray(body)
    ? body.map((one) => toMalformedResponseError(one) ?? one)
    : (toMalformedResponseError(body) ?? body);
}

/**
 * Node keeps a head back for the first word of the body, and a stream that only listens says its first after 15 s: until
 * then its client would not know that it stands.
 */
function flushHeadersEarly(response: ServerResponse): void {
  const { writeHead } = response;
  response.writeHead = (...args: readonly unknown[]) => {
    Reflect.apply(writeHead, response, args);
    response.flushHeaders();
    return response;
  };
}

export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The names under which this server may be asked for: this machine's, and the one that it listens on. */
function allowedHosts(host: string): string[] {
  const bracketed = (name: string) => (name.includes(':') ? `[${name}]` : name);
  if (host !== '0.0.0.0' && host !== '::') return [...LOCAL_HOSTS, bracketed(host)];
  const localAddresses = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );
  return [...LOCAL_HOSTS, ...localAddresses.map(bracketed)];
}
