import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

export interface HttpDoor {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the factory at `/mcp`, both eras. Names of other hosts are refused (DNS rebinding), as are pages of other
 * origins. Port 0 picks a free one.
 */
export async function serveHttp(
  factory: McpServerFactory,
  options: { host: string; port: number; onError: (error: Error) => void },
): Promise<HttpDoor> {
  const { host, port, onError } = options;
  const handler = createMcpHandler(factory, { onerror: onError, maxRequestBodySize: 8 * 1024 * 1024 });
  const handle = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: 8 * 1024 * 1024 });
  const hosts = allowedHosts(host);
  const isHostAllowed = hostHeaderValidation(hosts);
  const isOriginAllowed = originValidation(hosts);
  const server = createServer((request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path !== '/mcp') {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":"The MCP endpoint is /mcp."}');
      return;
    }
    // Node types an incoming message as if it could lack its method.
    void handle(request as Parameters<typeof handle>[0], response);
  });
  await listen(server, host, port);
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
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
  if (host !== '0.0.0.0' && host !== '::') return [...LOCAL, bracketed(host)];
  const own = Object.values(networkInterfaces()).flatMap((nets) => nets?.map(({ address }) => address) ?? []);
  return [...LOCAL, ...own.map(bracketed)];
}
