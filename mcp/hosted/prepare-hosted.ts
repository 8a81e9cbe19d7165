import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { listen, SERVER_LIMITS } from '../server/http-server.ts';
import { createListenError } from '../server/listen-error.ts';
import type { Command } from '../server/parse-command-line.ts';
import { SHUTDOWN_TIMEOUT_MS } from '../server/process-shutdown.ts';
import type { HostedDependencies, RunningServer } from '../server/start-server.ts';
import { createApp, type HostedApp } from './app.ts';
import { createHostedContext, type HostedContextOptions } from './hosted-context.ts';
import { type HostedSettings, parseHostedSettings } from './hosted-settings.ts';
import { withLingeringClose } from './lingering-close.ts';
import { startMetricsServer } from './monitoring/metrics-server.ts';
import { createMonitoring } from './monitoring/monitoring.ts';
import { withPipeliningLimit } from './pipelining-limit.ts';
import { enforceRequestTimeout } from './request-timeout.ts';
import { isFileRequest } from './user-pages.ts';

const MAX_CONNECTIONS = 10_000;
/**
 * Proxies keep connections for one or two minutes, and take one whose other side ends it just then for a server that is
 * gone: whoever called hears 502. So the proxy has to end it first.
 */
const PROXY_KEEP_ALIVE_TIMEOUT_MS = 130_000;
/** Calls that run when the server is told to end have so long. */
const CALL_DRAIN_TIMEOUT_MS = 25_000;

type HostedOverrides = Pick<HostedContextOptions, 'clientMetadata' | 'now'>;

/**
 * The door of many people: each signs in with a key of their own. Replicas need nothing of each other but the shared state
 * and `DOCSHARE_SECRETS`.
 * @returns what opens it.
 * @throws CommandLineError for settings that can't be meant, before anything is made for them.
 */
export function prepareHosted(
  command: Command,
  env: NodeJS.ProcessEnv,
): (dependencies: HostedDependencies, overrides?: HostedOverrides) => Promise<RunningServer> {
  const settings = parseHostedSettings(command, env);
  return (dependencies, overrides = {}) => startHosted(dependencies, { settings, ...overrides });
}

async function startHosted(
  dependencies: HostedDependencies,
  { settings, ...overrides }: HostedOverrides & { readonly settings: HostedSettings },
): Promise<RunningServer> {
  const { command, log, services } = dependencies;
  let hostedApp: HostedApp | undefined;
  const listener = getRequestListener(
    (request, connection) => hostedApp?.app.fetch(request, connection) ?? new Response(null, { status: 503 }),
    { overrideGlobalObjects: false },
  );
  const serverLimits =
    settings.proxies > 0
      ? { ...SERVER_LIMITS, keepAliveTimeout: PROXY_KEEP_ALIVE_TIMEOUT_MS }
      : SERVER_LIMITS;
  const server = createServer(serverLimits, withPipeliningLimit(withLingeringClose(listener)));
  enforceRequestTimeout(server, { hasOwnTimeout: isFileRequest });
  server.maxConnections = MAX_CONNECTIONS;
  const { state } = services;
  // Opened now, so that it is there, and known to be, before the first call.
  await state();
  const monitoring = await createMonitoring({
    log,
    state,
    replica: command.replica,
    connections: () =>
      new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count))),
  });
  const { host, port } = command;
  await listen(server, host, port).catch((error: NodeJS.ErrnoException) => {
    throw createListenError(`--host ${host} --port ${port}`, error.code);
  });
  server.on('error', (error) => log.warn('server_error', { message: error.message }));
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  const localUrl = `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
  const { metricsPort } = command;
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : await startMetricsServer({ host, port: metricsPort, ...monitoring }).catch(
          (error: NodeJS.ErrnoException) => {
            throw createListenError(`--metrics-port ${metricsPort}`, error.code);
          },
        );
  const hostedContext = createHostedContext({
    settings,
    dependencies,
    monitoring,
    issuer: settings.publicUrl ?? localUrl,
    ...overrides,
  });
  hostedApp = createApp(hostedContext);
  const { endpoint } = hostedApp;
  return {
    url: `${localUrl}/mcp`,
    publicUrl: hostedContext.resource,
    metricsUrl: metricsServer?.url,
    ended: new Promise(() => undefined),
    shutdownTimeoutMs: command.drainMs + CALL_DRAIN_TIMEOUT_MS,
    async close(immediate = true) {
      // Balancers hear it first, and send nobody any more; until they have, whoever comes is still served.
      monitoring.readiness.beginDrain();
      if (!immediate) await sleep(command.drainMs);
      const closed = new Promise((resolve) => server.close(resolve));
      const until = Date.now() + (immediate ? SHUTDOWN_TIMEOUT_MS : CALL_DRAIN_TIMEOUT_MS);
      while (monitoring.running() > 0 && Date.now() < until) await sleep(20);
      server.closeIdleConnections();
      // What is answered now may still be on its way.
      await Promise.race([closed, sleep(200)]);
      await endpoint.close();
      server.closeAllConnections();
      await Promise.all([closed, metricsServer?.close()]);
    },
  };
}
