import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../../../src/version.ts';

/** Buckets recommended by OpenTelemetry's conventions for MCP. */
const DURATION_BUCKETS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Any other method name is untrusted text. */
const KNOWN_METHODS = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
]);

interface RequestMetric {
  readonly method: string;
  readonly tool?: string | undefined;
  /** Undefined on success. */
  readonly error?: string | undefined;
  readonly seconds: number;
}

export interface Metrics {
  observe(metric: RequestMetric): void;
  countRejected(reason: 'grant' | 'all' | 'bodies'): void;
  text(): Promise<{ type: string; text: string }>;
}

/** Values that are read when metrics are scraped. */
interface GaugeSources {
  readonly calls: () => number;
  readonly connections: () => Promise<number>;
  readonly state: () => Promise<{ up: boolean; replicas: number; holdMs: number }>;
}

/** Creates metrics named after OpenTelemetry's conventions for MCP, in Prometheus form. */
export function createMetrics(sources: GaugeSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'Duration of an MCP request, from its arrival to the end of its response.',
    labelNames: ['mcp_method_name', 'gen_ai_tool_name', 'error_type'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const rejections = new Counter({
    name: 'docshare_requests_rejected_total',
    help: 'Requests rejected because too many were running, for one grant or in total.',
    labelNames: ['reason'],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  gauge('mcp_server_active_requests', 'MCP requests in progress.', sources.calls);
  gauge('docshare_connections', 'Open connections.', sources.connections);
  gauge('docshare_state_up', '1 while the shared state is reachable.', async () => Number((await sources.state()).up));
  gauge(
    'docshare_replicas',
    'Replicas that share the rate limit, as seen by this one.',
    async () => (await sources.state()).replicas,
  );
  gauge(
    'docshare_limit_hold_seconds',
    'Seconds until requests may start again after the history of the rate limit was lost.',
    async () => (await sources.state()).holdMs / 1000,
  );
  new Gauge({ name: 'docshare_build_info', help: 'Version of this server.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );

  return {
    observe({ method, tool = '', error = '', seconds }) {
      const methodLabel = KNOWN_METHODS.has(method) ? method : 'other';
      duration.observe({ mcp_method_name: methodLabel, gen_ai_tool_name: tool, error_type: error }, seconds);
    },
    countRejected: (reason) => rejections.inc({ reason }),
    text: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
