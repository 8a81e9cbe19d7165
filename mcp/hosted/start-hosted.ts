import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { cannotListen } from '../start/cannot-listen.ts';
import type { Command } from '../start/command-line.ts';
import { SHUTDOWN_TIMEOUT_MS } from '../start/ending.ts';
import { listen, SERVER_BOUNDS } from '../start/http.ts';
import type { Door, HostedParts } from '../start/start.ts';
import { createApp, type HostedApp } from './app.ts';
import { withLinger } from './linger.ts';
import { createOperations } from './operations/operations.ts';
import { openOperationsPort } from './operations/operations-port.ts';
import { isFileRequest } from './people.ts';
import { withoutPipelines } from './pipelines.ts';
import { type HostedSettings, readSettings } from './settings.ts';
import { endSlowRequests } from './slow-requests.ts';
import { createWorld, type WorldOptions } from './world.ts';

const CONNECTION_LIMIT = 10_000;
/**
 * Proxies keep connections for one or two minutes, and take one whose other side ends it just then for a server that is
 * gone: whoever called hears 502. So the proxy has to end it first.
 */
const PROXY_KEEP_ALIVE_TIMEOUT_MS = 130_000;
/** Calls that run when the server is told to end have so long. */
const CALL_DRAIN_TIMEOUT_MS = 25_000;

type More = Pick<WorldOptions, 'documents' | 'now'>;

/**
 * The door of many people: each signs in with a key of their own. Replicas need nothing of each other but the shared state
 * and `DOCSHARE_SECRETS`.
 * @returns what opens it.
 * @throws CommandLineError for settings that can't be meant, before anything is made for them.
 */
export function prepareHosted(
  command: Command,
  env: NodeJS.ProcessEnv,
): (parts: HostedParts, more?: More) => Promise<Door> {
  const settings = readSettings(command, env);
  return (parts, more = {}) => openDoor(parts, { settings, ...more });
}

async function openDoor(
  parts: HostedParts,
  { settings, ...more }: More & { readonly settings: HostedSettings },
): Promise<Door> {
  const { command, log, services } = parts;
  let hosted: HostedApp | undefined;
  const answer = getRequestListener(
    (request, connection) => hosted?.app.fetch(request, connection) ?? new Response(null, { status: 503 }),
    { overrideGlobalObjects: false },
  );
  const bounds =
    settings.proxies > 0
      ? { ...SERVER_BOUNDS, keepAliveTimeout: PROXY_KEEP_ALIVE_TIMEOUT_MS }
      : SERVER_BOUNDS;
  const server = createServer(bounds, withoutPipelines(withLinger(answer)));
  endSlowRequests(server, { hasOwnClock: isFileRequest });
  server.maxConnections = CONNECTION_LIMIT;
  const { state } = services;
  // Opened now, so that it is there, and known to be, before the first call.
  await state();
  const operations = await createOperations({
    log,
    state,
    replica: command.replica,
    connections: () =>
      new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count))),
  });
  const { host, port } = command;
  await listen(server, host, port).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen(`--host ${host} --port ${port}`, error.code);
  });
  server.on('error', (error) => log.warn('server_error', { message: error.message }));
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  const own = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  const { metricsPort } = command;
  const forOperators =
    metricsPort === undefined
      ? undefined
      : await openOperationsPort({ host, port: metricsPort, ...operations }).catch(
          (error: NodeJS.ErrnoException) => {
            throw cannotListen(`--metrics-port ${metricsPort}`, error.code);
          },
        );
  const world = createWorld({ settings, parts, operations, issuer: settings.publicUrl ?? own, ...more });
  hosted = createApp(world);
  const { endpoint } = hosted;
  return {
    url: `${own}/mcp`,
    publicUrl: world.resource,
    metricsUrl: forOperators?.url,
    ended: new Promise(() => undefined),
    withinMs: command.drainMs + CALL_DRAIN_TIMEOUT_MS,
    async close(hurry = true) {
      // Balancers hear it first, and send nobody any more; until they have, whoever comes is still served.
      operations.readiness.beginDrain();
      if (!hurry) await sleep(command.drainMs);
      const closed = new Promise((resolve) => server.close(resolve));
      const until = Date.now() + (hurry ? SHUTDOWN_TIMEOUT_MS : CALL_DRAIN_TIMEOUT_MS);
      while (operations.running() > 0 && Date.now() < until) await sleep(20);
      server.closeIdleConnections();
      // What is answered now may still be on its way.
      await Promise.race([closed, sleep(200)]);
      await endpoint.close();
      server.closeAllConnections();
      await Promise.all([closed, forOperators?.close()]);
    },
  };
}
