import { once } from 'node:events';
import { createServer, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server';
import { removeKeepAlive } from './connection-header.ts';
import { createHttpSessions, type SessionLimits } from './http-sessions.ts';
import { createRpcError, readJsonBody } from './json-body.ts';
import { SHUTDOWN_TIMEOUT_MS } from './process-shutdown.ts';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Limits that end idle, slow, half-open and dead connections. */
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
/** The client disconnected. */
const DISCONNECT_CODES = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];
/** Streams send a ping every 15 s, and no tool is silent for this long. */
const SOCKET_TIMEOUT_MS = 10 * 60_000;

/** Methods that Node accepts but `Request` does not. */
const UNSUPPORTED_METHODS = ['TRACE', 'TRACK', 'CONNECT'];

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly onError: (error: Error) => void;
  readonly sessions?: SessionLimits;
  readonly limits?: ServerOptions;
}

/**
 * Serves the factory at `/mcp` in both eras: 2026-07-28 statelessly, the 2025 revisions in sessions. Rejects
 * other hosts (DNS rebinding) and other origins. Port 0 picks a free port.
 */
export async function startHttpServer(factory: McpServerFactory, options: HttpServerOptions) {
  const { host, port, onError } = options;
  const limits = { onerror: onError, maxRequestBodySize: MAX_BODY_BYTES };
  const handler = createMcpHandler(factory, limits);
  const sessions = createHttpSessions(factory, { onError, ...(options.sessions ? { limits: options.sessions } : {}) });
  const handle = toNodeHandler(
    {
      async fetch(request, handlerOptions) {
        let body: unknown;
        if (request.method === 'POST') {
          const read = await readJsonBody(request, MAX_BODY_BYTES);
          if ('errorResponse' in read) return read.errorResponse;
          body = read.body;
        }
        const isLegacy = await isLegacyRequest(request, body);
        const sessionResponse = isLegacy ? await sessions.fetch(request, body) : undefined;
        return removeKeepAlive(
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
  // Disconnecting is not an error: it is how a client ends a stream it listens to.
  const handleStreamError = (error: NodeJS.ErrnoException) =>
    void (DISCONNECT_CODES.includes(error.code ?? '') || onError(error));
  const server = createServer({ ...SERVER_LIMITS, ...options.limits }, async (request, response) => {
    try {
      request.on('error', handleStreamError);
      response.on('error', handleStreamError);
      if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
      if (request.url?.split('?')[0] !== '/mcp') {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: 'The MCP endpoint is /mcp.' }));
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
      // Node's types allow a missing method, which does not occur.
      await handle(request as Parameters<typeof handle>[0], response);
    } catch (error) {
      onError(error instanceof Error ? error : new Error('unknown'));
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SOCKET_TIMEOUT_MS;
  const url = await listen(server, host, port);
  server.on('error', onError);
  return {
    url: `${url}/mcp`,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      // Running calls may finish; streams that only listen would not.
      const until = Date.now() + SHUTDOWN_TIMEOUT_MS;
      while (running > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
      await Promise.all([handler.close(), sessions.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends headers at once. Node waits for the first body byte, which a listening stream sends after 15 s. */
function flushHeadersEarly(response: ServerResponse): void {
  const { writeHead } = response;
  response.writeHead = (...args: readonly unknown[]) => {
    Reflect.apply(writeHead, response, args);
    response.flushHeaders();
    return response;
  };
}

/** Starts listening and returns the server's URL, without a path. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  return `http://${bracketIpv6(host)}:${boundPort}`;
}

function bracketIpv6(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Host names that requests may use: this machine's, and the one it listens on. */
function allowedHosts(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [...LOCAL_HOSTS, bracketIpv6(host)];
  const localAddresses = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );
  return [...LOCAL_HOSTS, ...localAddresses.map(bracketIpv6)];
}
