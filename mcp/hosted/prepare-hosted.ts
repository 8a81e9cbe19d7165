import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { getRequestListener } from '@hono/node-server';
import { setBodyBudget } from '../../src/transport/body-budget.ts';
import type { HostedDependencies } from '../server/assemble-server.ts';
import { listen, SERVER_LIMITS } from '../server/http-server.ts';
import { createListenError } from '../server/listen-error.ts';
import type { Command } from '../server/parse-command-line.ts';
import { SHUTDOWN_TIMEOUT_MS } from '../server/process-shutdown.ts';
import type { RunningServer } from '../server/running-server.ts';
import { createHostedApp, type HostedApp } from './app.ts';
import { createHostedContext, type HostedContextOptions } from './hosted-context.ts';
import { type HostedSettings, parseHostedSettings } from './hosted-settings.ts';
import { withLingeringClose } from './http/lingering-close.ts';
import { enforceRequestTimeout } from './http/request-timeout.ts';
import { startMetricsServer } from './monitoring/metrics-server.ts';
import { createMonitoring } from './monitoring/monitoring.ts';
import { readOrganizationFile } from './organization/organization-file.ts';
import { isUploadRequest } from './user-pages.ts';

const MAX_CONNECTIONS = 10_000;
/**
 * Longer than proxies keep idle connections (one or two minutes), so that the proxy closes first. A proxy
 * that sends on a connection we just closed reports 502.
 */
const PROXY_KEEP_ALIVE_TIMEOUT_MS = 130_000;
/** Part of the heap for large answers of the service while they arrive: decoding and parsing multiply their bytes. */
const BODY_BUDGET_SHARE = 1 / 8;
/** Time for running calls to finish after SIGTERM. */
const CALL_DRAIN_TIMEOUT_MS = 25_000;

type HostedOverrides = Pick<HostedContextOptions, 'clientMetadata' | 'now'>;

/**
 * Prepares the multi-user server, where each person signs in with their own key. Replicas share only the
 * state and `DOCSHARE_SECRETS`.
 * @returns a function that starts it.
 * @throws CommandLineError for invalid settings, before anything is started.
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
  const organization =
    command.organization === undefined
      ? undefined
      : await readOrganizationFile(command.organization, dependencies.secrets);
  // Node derives the limit of its heap from the memory limit of the container.
  setBodyBudget(getHeapStatistics().heap_size_limit * BODY_BUDGET_SHARE);
  let hostedApp: HostedApp | undefined;
  const listener = getRequestListener(
    (request, connection) => hostedApp?.app.fetch(request, connection) ?? new Response(null, { status: 503 }),
    { overrideGlobalObjects: false },
  );
  const serverLimits =
    settings.proxies > 0 ? { ...SERVER_LIMITS, keepAliveTimeout: PROXY_KEEP_ALIVE_TIMEOUT_MS } : SERVER_LIMITS;
  const server = createServer(serverLimits, withLingeringClose(listener));
  enforceRequestTimeout(server, { hasOwnTimeout: isUploadRequest });
  server.maxConnections = MAX_CONNECTIONS;
  const { state } = services;
  // Opened now so that its status is known before the first call.
  await state();
  const monitoring = await createMonitoring({
    log,
    state,
    replica: command.replica,
    connections: () => new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count))),
  });
  const { host, port } = command;
  const localUrl = await listen(server, host, port).catch((error: NodeJS.ErrnoException) => {
    throw createListenError(`--host ${host} --port ${port}`, error.code);
  });
  server.on('error', (error) => log.warn('server_error', { message: error.message }));
  const { metricsPort } = command;
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : await startMetricsServer({ host, port: metricsPort, ...monitoring }).catch((error: NodeJS.ErrnoException) => {
          throw createListenError(`--metrics-port ${metricsPort}`, error.code);
        });
  const hostedContext = createHostedContext({
    settings,
    dependencies,
    monitoring,
    issuer: settings.publicUrl ?? localUrl,
    organization,
    ...overrides,
  });
  hostedApp = createHostedApp(hostedContext);
  const { endpoint } = hostedApp;
  return {
    url: `${localUrl}/mcp`,
    publicUrl: hostedContext.resource,
    metricsUrl: metricsServer?.url,
    ended: new Promise(() => undefined),
    shutdownTimeoutMs: command.drainMs + CALL_DRAIN_TIMEOUT_MS,
    async close(immediate = true) {
      // Load balancers stop sending first; until they do, new requests are still served.
      monitoring.readiness.beginDrain();
      if (!immediate) await sleep(command.drainMs);
      const closed = new Promise((resolve) => server.close(resolve));
      const until = Date.now() + (immediate ? SHUTDOWN_TIMEOUT_MS : CALL_DRAIN_TIMEOUT_MS);
      while (monitoring.running() > 0 && Date.now() < until) await sleep(20);
      server.closeIdleConnections();
      // Let the last responses reach their clients.
      await Promise.race([closed, sleep(200)]);
      await endpoint.close();
      server.closeAllConnections();
      await Promise.all([closed, metricsServer?.close()]);
    },
  };
}
