import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A balancer that knows nothing: each request goes to the next server that can be connected to. */
export interface RoundRobin {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
  /** From now on requests go to these ports. */
  use(ports: readonly number[]): void;
  close(): Promise<void>;
}

export async function startRoundRobin(port = 0): Promise<RoundRobin> {
  // A connection for each request: one that was kept may lead to a server that was killed meanwhile.
  const agent = new Agent({ keepAlive: false, maxSockets: 1024 });
  let ports: readonly number[] = [];
  let turn = 0;

  function forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { first, tries }: { first: number; tries: number },
  ): void {
    // Past those that were tried for this one, whoever else came meanwhile.
    const target = ports[(first + tries) % Math.max(1, ports.length)];
    if (target === undefined) {
      refuse(outgoing);
      return;
    }
    const onward = request({
      agent,
      host: '127.0.0.1',
      port: target,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...incoming.headers,
        'x-forwarded-for': incoming.socket.remoteAddress,
        'x-forwarded-proto': 'http',
      },
    });
    const send = () => incoming.pipe(onward);
    // Nothing is sent before there is a connection, so that another server can be tried.
    onward.once('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()));
    let isAnswered = false;
    onward.once('response', (answer) => {
      isAnswered = true;
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    onward.on('error', (error: NodeJS.ErrnoException) => {
      // A server that has answered early need not read the rest.
      if (isAnswered) return;
      if (error.code === 'ECONNREFUSED' && tries + 1 < ports.length)
        forward(incoming, outgoing, { first, tries: tries + 1 });
      else refuse(outgoing);
    });
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) onward.destroy();
    });
  }

  const server = createServer({ requestTimeout: 0 }, (incoming, outgoing) => {
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    turn = (turn + 1) % Math.max(1, ports.length);
    forward(incoming, outgoing, { first: turn, tries: 0 });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(next) {
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

function refuse(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('No server answers.\n');
}
