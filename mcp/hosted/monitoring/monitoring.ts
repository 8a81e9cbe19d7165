import { performance } from 'node:perf_hooks';
import { isObject } from '../../../src/records/fields.ts';
import type { CallObserver } from '../../audit/audit-call.ts';
import type { Log } from '../../audit/log.ts';
import { createRpcError } from '../../server/json-body.ts';
import type { StateProvider } from '../../state/shared-state.ts';
import { createCallObserver } from './call-observer.ts';
import { type ConcurrencyLimits, createConcurrencyLimiter, type InFlightRequest } from './concurrency-limiter.ts';
import { createMetrics, type Metrics } from './prometheus-metrics.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createRequestContext, hashGrantId, PROXY_REQUEST_ID_HEADER, type RequestContext } from './request-context.ts';
import { createTracing } from './tracing.ts';

/** Records what is learned about a request while it is handled. */
export interface RequestTracker {
  readonly context: RequestContext;
  /** Counts the request for a grant. Returns an error response if the grant has too many. */
  admitGrant(grantId: string): Response | undefined;
  /** Reserves memory for the body. Returns an error response if there is none left. */
  reserveBody(bytes: number): Response | undefined;
  recordMethod(body: unknown): void;
}

export interface HostedRequest {
  readonly request: Request;
  /** Calls `callback` once the response was sent or the connection closed. */
  readonly whenSent: (callback: () => void) => void;
}

/** Concurrency limits, probes, metrics and call logs of a hosted server. */
export interface Monitoring {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly observe: CallObserver;
  /** Handles a request within the limits until its response was sent, and adds the request id to the response. */
  serve(hostedRequest: HostedRequest, handle: (tracker: RequestTracker) => Promise<Response>): Promise<Response>;
  running(): number;
}

interface MonitoringOptions {
  readonly log: Log;
  readonly state: StateProvider;
  readonly replica: string;
  readonly connections: () => Promise<number>;
  readonly limits?: ConcurrencyLimits;
}

const DEFAULT_LIMITS: ConcurrencyLimits = { perGrant: 64, total: 512, bodyBytes: 24 * 1024 * 1024 };
const RETRY_HEADERS = { 'retry-after': '1' };

export async function createMonitoring(options: MonitoringOptions): Promise<Monitoring> {
  const { log, state, replica, connections } = options;
  const limits = createConcurrencyLimiter(options.limits ?? DEFAULT_LIMITS);
  const metrics = createMetrics({ calls: limits.running, connections, state: async () => (await state()).getStatus() });
  const observe = createCallObserver({ log, metrics, tracing: await createTracing() });

  function reject(
    { id, grant }: RequestContext,
    error: { reason: 'grant' | 'all' | 'bodies'; status: number; message: string; headers?: HeadersInit },
  ): Response {
    const { reason, status, message, headers = RETRY_HEADERS } = error;
    metrics.countRejected(reason);
    log.warn('request_rejected', { request_id: id, grant, reason });
    return createRpcError(status, -32_000, message, headers);
  }

  async function handleTracked(
    request: { context: RequestContext; inFlight: InFlightRequest; whenSent: HostedRequest['whenSent'] },
    handle: (tracker: RequestTracker) => Promise<Response>,
  ): Promise<Response> {
    const { context, inFlight, whenSent } = request;
    const startedAt = performance.now();
    let method: string | undefined;
    let status = 500;
    whenSent(() => {
      inFlight.end();
      // Tool calls are measured by the call observer, which knows their outcome.
      if (method === undefined || method === 'tools/call') return;
      const error = status >= 400 ? String(status) : undefined;
      metrics.observe({ method, error, seconds: (performance.now() - startedAt) / 1000 });
    });
    const response = await handle({
      context,
      admitGrant(grantId) {
        context.grant = hashGrantId(grantId);
        if (inFlight.countForGrant(grantId)) return undefined;
        const message = 'Too many concurrent requests for this sign-in. Wait for some to finish, then retry.';
        return reject(context, { reason: 'grant', status: 429, message });
      },
      reserveBody(bytes) {
        if (inFlight.reserveBytes(bytes)) return undefined;
        const message = 'Too many large requests in progress. Retry in a second.';
        // The unread body would precede the next request of the connection.
        const headers = { ...RETRY_HEADERS, connection: 'close' };
        return reject(context, { reason: 'bodies', status: 503, message, headers });
      },
      recordMethod(body) {
        if (isObject(body) && typeof body['method'] === 'string') method = body['method'];
      },
    });
    status = response.status;
    return response;
  }

  return {
    readiness: createReadiness({ state, replica }),
    metrics,
    observe,
    running: limits.running,
    async serve({ request, whenSent }, handle) {
      const context = createRequestContext(request);
      const inFlight = limits.acquire();
      if (!inFlight) {
        const message = 'Too many concurrent requests. Retry in a second.';
        return reject(context, { reason: 'all', status: 503, message });
      }
      const response = await handleTracked({ context, inFlight, whenSent }, handle);
      response.headers.set(PROXY_REQUEST_ID_HEADER, context.id);
      return response;
    },
  };
}
