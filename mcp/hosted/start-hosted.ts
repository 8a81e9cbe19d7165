import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { CommandLineError } from '../start/command-line.ts';
import { GRACE_MS } from '../start/ending.ts';
import { listen, SERVER_BOUNDS } from '../start/http.ts';
import type { Door, HostedParts } from '../start/start.ts';
import { createApp, type HostedApp } from './app.ts';
import { isFilePath } from './people.ts';
import { readSettings } from './settings.ts';
import { endSlowRequests } from './slow-requests.ts';
import { createWorld, type WorldOptions } from './world.ts';

const CONNECTION_LIMIT = 10_000;

/**
 * Opens the door of many people: each signs in with a key of their own. Replicas need nothing of each other but the
 * shared state and `DOCSHARE_SECRETS`.
 * @throws CommandLineError for settings that can't be meant.
 */
export async function startHosted(
  parts: HostedParts,
  more: Pick<WorldOptions, 'documents' | 'now'> = {},
): Promise<Door> {
  const { command, log } = parts;
  const settings = readSettings(command);
  let hosted: HostedApp | undefined;
  const answer = getRequestListener(
    (request, connection) => hosted?.app.fetch(request, connection) ?? new Response(null, { status: 503 }),
    { overrideGlobalObjects: false },
  );
  const server = createServer(SERVER_BOUNDS, answer);
  endSlowRequests(server, isFilePath);
  server.maxConnections = CONNECTION_LIMIT;
  const { host, port } = command;
  await listen(server, host, port).catch((error: NodeJS.ErrnoException) => {
    throw new CommandLineError(
      `--host ${host} --port ${port}: the server can't listen there (${error.code}). Choose another port; 0 picks a free one.`,
    );
  });
  server.on('error', (error) => log.warn('server_error', { message: error.message }));
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  const own = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  const world = createWorld({ settings, parts, issuer: settings.publicUrl ?? own, ...more });
  hosted = createApp(world);
  const { endpoint } = hosted;
  return {
    url: `${own}/mcp`,
    publicUrl: world.resource,
    ended: new Promise(() => undefined),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      const running = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
      server.closeIdleConnections();
      await Promise.race([closed, running]);
      await endpoint.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
