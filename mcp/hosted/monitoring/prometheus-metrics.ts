import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../../../src/version.ts';

/** Buckets that OpenTelemetry's conventions for MCP advise. */
const DURATION_BUCKETS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Every other name of a method is a stranger's text. */
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

export interface RequestMetric {
  readonly method: string;
  readonly tool?: string | undefined;
  /** Undefined where it went well. */
  readonly error?: string | undefined;
  readonly seconds: number;
}

export interface Metrics {
  observe(metric: RequestMetric): void;
  countRejected(reason: 'grant' | 'all' | 'bodies' | 'draining'): void;
  text(): Promise<{ type: string; text: string }>;
}

/** What is read at the moment when somebody asks. */
export interface GaugeSources {
  readonly calls: () => number;
  readonly connections: () => Promise<number>;
  readonly state: () => Promise<{ up: boolean; replicas: number; holdMs: number }>;
}

/** Metrics under the names of OpenTelemetry's conventions for MCP, as Prometheus spells them. */
export function createMetrics(sources: GaugeSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'Duration of a request of the protocol, from its arrival to the end of its answer.',
    labelNames: ['mcp_method_name', 'gen_ai_tool_name', 'error_type'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const rejections = new Counter({
    name: 'docshare_requests_rejected_total',
    help: 'Requests that were refused because too many ran at once, for one grant or in all, or while draining.',
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
  gauge('mcp_server_active_requests', 'Requests of the protocol that run now.', sources.calls);
  gauge('docshare_connections', 'Connections that are open now.', sources.connections);
  gauge('docshare_state_up', '1 while what the replicas share can be reached.', async () =>
    Number((await sources.state()).up),
  );
  gauge(
    'docshare_replicas',
    'Replicas that share the limit, as this one sees them.',
    async () => (await sources.state()).replicas,
  );
  gauge(
    'docshare_limit_hold_seconds',
    'So long no request starts, because the history of the limit was lost.',
    async () => (await sources.state()).holdMs / 1000,
  );
  new Gauge({
    name: 'docshare_build_info',
    help: 'Version of this server.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);

  return {
    observe({ method, tool = '', error = '', seconds }) {
      const methodLabel = KNOWN_METHODS.has(method) ? method : 'other';
      duration.observe({ mcp_method_name: methodLabel, gen_ai_tool_name: tool, error_type: error }, seconds);
    },
    countRejected: (reason) => rejections.inc({ reason }),
    text: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
