import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Load balancer without health checks: each request goes to the next server that accepts a connection. */
export interface RoundRobin {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
  /** Sends later requests to these ports. */
  setPorts(ports: readonly number[]): void;
  close(): Promise<void>;
}

export async function startRoundRobin(port = 0): Promise<RoundRobin> {
  // A new connection for each request: a kept one may lead to a killed server.
  const agent = new Agent({ keepAlive: false, maxSockets: 1024 });
  let ports: readonly number[] = [];
  let nextIndex = 0;

  function forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { first, tries }: { first: number; tries: number },
  ): void {
    // Skips the servers already tried for this request.
    const target = ports[(first + tries) % Math.max(1, ports.length)];
    if (target === undefined) {
      sendBadGateway(outgoing);
      return;
    }
    const upstream = request({
      agent,
      host: '127.0.0.1',
      port: target,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress, 'x-forwarded-proto': 'http' },
    });
    const send = () => incoming.pipe(upstream);
    // Sends nothing before the connection is open, so another server can still be tried.
    upstream.once('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()));
    let hasResponse = false;
    upstream.once('response', (response) => {
      hasResponse = true;
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('error', () => outgoing.destroy());
      response.pipe(outgoing);
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      // After an early response, the server need not read the rest.
      if (hasResponse) return;
      if (error.code === 'ECONNREFUSED' && tries + 1 < ports.length)
        forward(incoming, outgoing, { first, tries: tries + 1 });
      else sendBadGateway(outgoing);
    });
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) upstream.destroy();
    });
  }

  const server = createServer({ requestTimeout: 0 }, (incoming, outgoing) => {
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    nextIndex = (nextIndex + 1) % Math.max(1, ports.length);
    forward(incoming, outgoing, { first: nextIndex, tries: 0 });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setPorts(next) {
      ports = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

function sendBadGateway(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('No server answers.\n');
}
