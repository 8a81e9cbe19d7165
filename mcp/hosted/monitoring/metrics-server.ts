import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { listen } from '../../server/http-server.ts';
import type { Metrics } from './prometheus-metrics.ts';
import type { Readiness } from './readiness.ts';

/** Operator port with metrics and the two probes. */
interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

const SERVER_LIMITS = { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 5000, maxHeaderSize: 8192 };
const MAX_CONNECTIONS = 64;

/** @throws the system's error if it can't listen there. */
export async function startMetricsServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
  readiness: Readiness;
}): Promise<MetricsServer> {
  const { host, port, metrics, readiness } = options;
  const listener = getRequestListener(
    async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 });
      if (pathname !== '/metrics') return (await readiness.respond(pathname)) ?? new Response(null, { status: 404 });
      const { type, text } = await metrics.text();
      return new Response(text, { headers: { 'content-type': type } });
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(SERVER_LIMITS, listener);
  server.maxConnections = MAX_CONNECTIONS;
  const url = await listen(server, host, port);
  return {
    url,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
