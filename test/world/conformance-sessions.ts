import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { HttpDoor } from '../../mcp/start/http.ts';

/** Serves the 2025 revisions with a session for each client, as the product's entry on purpose does not. */
export async function serveSessions(factory: McpServerFactory): Promise<HttpDoor> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const server = createServer(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = sessions.get(String(id));
    if (!transport) {
      if (id !== undefined) {
        response.writeHead(404).end();
        return;
      }
      const created = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, created),
        onsessionclosed: (id) => void sessions.delete(id),
      });
      const mcp = await factory({ era: 'legacy' });
      await mcp.connect(created);
      transport = created;
    }
    await transport.handleRequest(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
