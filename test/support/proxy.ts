import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startServer } from './start-server.ts';

/** A proxy for tunnels (CONNECT) and plain HTTP that records all; `rejectWith` is the status of every CONNECT. */
export async function startProxy(options: { rejectWith?: number } = {}) {
  /** Each request that the proxy itself could read. */
  const seen: { line: string; headers: IncomingHttpHeaders }[] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const outgoing = forward(request.url ?? '', { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.writeHead(502).end());
    request.pipe(outgoing);
  });
  server.on('connect', (request, socket: Socket) => {
    seen.push({ line: `CONNECT ${request.url}`, headers: request.headers });
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (options.rejectWith !== undefined) return socket.end(`HTTP/1.1 ${options.rejectWith} No\r\n\r\n`);
    const [host, port] = (request.url ?? '').split(':');
    const outgoing = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.pipe(outgoing).pipe(socket);
    });
    sockets.add(outgoing);
    outgoing.on('error', () => socket.destroy());
  });
  const { origin, close } = await startServer(server);
  return {
    origin,
    seen,
    /** Bytes sent through its tunnels to the service, as Latin-1. */
    tunnelled: () => Buffer.concat(chunks).toString('latin1'),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      close();
    },
  };
}
