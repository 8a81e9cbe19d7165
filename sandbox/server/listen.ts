import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { ALREADY_SENT, type Env } from './exchange.ts';

export interface ListeningServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** The servers of this process that listen now, by their origin. */
const serversByOrigin = new Map<string, Server>();

/** Who is in the same process can hand a server its requests without a socket, as tests of many services do. */
export function getServer(origin: string): Server | undefined {
  return serversByOrigin.get(origin);
}

/** How long the head of a request may take. */
const HEADERS_TIMEOUT_MS = 15_000;

/**
 * Ports that servers of this process had. The next one is not to come under the same address where any port will do: a client
 * counts its requests by address and key, and would wait for what another sandbox was asked.
 */
const usedPorts = new Set<number>();
const MAX_TRIES = 20;

/** Serves an app on 127.0.0.1 only; 0 stands for any port that is free. */
export async function startServer(app: Hono<Env>, port: number): Promise<ListeningServer> {
  // Each route reads and drains its own body; the adapter is not to do it a second time.
  const options = {
    // For HEAD the framework makes another answer of the one that says that all was sent, which nobody may send again.
    fetch: async (request: Request, env: HttpBindings | Http2Bindings) => {
      const response = await app.fetch(request, env);
      return env.outgoing.headersSent ? ALREADY_SENT : response;
    },
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    // A head has to come soon. A large upload may well take longer than Node's five minutes for a request.
    serverOptions: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      connectionsCheckingInterval: 5_000,
    },
  };
  // Without further options the adapter makes a plain HTTP/1 server.
  const server = createAdaptorServer(options) as Server;
  // Node watches over a head that was begun; who says nothing at all would be waited for without an end.
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
      new Promise((resolve) => {
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
