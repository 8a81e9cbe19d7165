import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { ALREADY_SENT, type Env } from './exchange.ts';

/** The listening servers of this process, by origin. */
const serversByOrigin = new Map<string, Server>();

/** Returns the server of an origin, so that tests in the same process can send requests without a socket. */
export function findServer(origin: string): Server | undefined {
  return serversByOrigin.get(origin);
}

const HEADERS_TIMEOUT_MS = 15_000;

/**
 * Ports used before in this process. A random port is never reused: a client counts requests by URL and key,
 * and would wait for requests of an earlier sandbox.
 */
const usedPorts = new Set<number>();
const MAX_TRIES = 20;

/** Serves an app on 127.0.0.1; port 0 picks a free one. */
export async function startServer(app: Hono<Env>, port: number) {
  // Routes read and drain their bodies; the adapter must not do it again.
  const options = {
    // For HEAD, the framework copies the marker response, so that it would be sent again.
    fetch: async (request: Request, env: HttpBindings | Http2Bindings) => {
      const response = await app.fetch(request, env);
      return env.outgoing.headersSent ? ALREADY_SENT : response;
    },
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    // Headers must arrive soon; a large upload may take longer than Node's default of five minutes.
    serverOptions: { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: 0, connectionsCheckingInterval: 5_000 },
  };
  // Without further options the adapter creates an HTTP/1 server.
  const server = createAdaptorServer(options) as Server;
  // Node has no timeout for a connection that never sends anything.
  server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), HEADERS_TIMEOUT_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  });
  let boundPort = await listenAt(server, port);
  for (let tries = 0; port === 0 && usedPorts.has(boundPort) && tries < MAX_TRIES; tries += 1) {
    await new Promise((closed) => server.close(closed));
    boundPort = await listenAt(server, port);
  }
  usedPorts.add(boundPort);
  const origin = `http://127.0.0.1:${boundPort}`;
  serversByOrigin.set(origin, server);
  return {
    origin,
    close: () =>
      new Promise<void>((resolve) => {
        serversByOrigin.delete(origin);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listenAt(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
