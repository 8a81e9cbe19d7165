import { performance } from 'node:perf_hooks';
import { isObject } from '../../../src/records/fields.ts';
import type { ObserveCall } from '../../audit/audit-call.ts';
import type { Log } from '../../audit/log.ts';
import { createRpcError } from '../../server/json-body.ts';
import type { StateProvider } from '../../state/shared-state.ts';
import { createCallObserver } from './call-observer.ts';
import {
  type ConcurrencyLimits,
  createConcurrencyLimiter,
  type InFlightRequest,
} from './concurrency-limiter.ts';
import { createMetrics, type Metrics } from './prometheus-metrics.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import {
  createRequestContext,
  hashGrantId,
  PROXY_REQUEST_ID_HEADER,
  type RequestContext,
} from './request-context.ts';
import { createTracing } from './tracing.ts';

/** What is told of a request of the protocol while it is answered. */
export interface RequestTracker {
  readonly context: RequestContext;
  /** Counts the request for who signed in; the refusal where too many of his run. */
  admitGrant(grantId: string): Response | undefined;
  /** Keeps room for its body, of so many bytes at most; the refusal where others' bodies fill it. */
  reserveBody(bytes: number): Response | undefined;
  /** What it asks for. */
  recordMethod(body: unknown): void;
}

export interface HostedRequest {
  readonly request: Request;
  /** Calls `callback` once the answer has been sent whole, or nobody reads it any more. */
  readonly whenSent: (callback: () => void) => void;
}

/** What it takes to run a hosted server: bounds, probes, measures, one line a call. */
export interface Monitoring {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly observe: ObserveCall;
  /** Answers a request of the protocol within the bounds, with its id in the answer, until that has been sent. */
  serve(
    hostedRequest: HostedRequest,
    handle: (tracker: RequestTracker) => Promise<Response>,
  ): Promise<Response>;
  running(): number;
}

export interface MonitoringOptions {
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
  const metrics = createMetrics({
    calls: limits.running,
    connections,
    state: async () => (await state()).getStatus(),
  });
  const observe = createCallObserver({ log, metrics, tracing: await createTracing() });

  function reject(
    context: RequestContext,
    rejection: { reason: 'grant' | 'all' | 'bodies'; response: Response },
  ): Response {
    metrics.countRejected(rejection.reason);
    log.warn('request_rejected', { request_id: context.id, grant: context.grant, reason: rejection.reason });
    return rejection.response;
  }

  async function handleTracked(
    {
      context,
      inFlight,
      whenSent,
    }: { context: RequestContext; inFlight: InFlightRequest; whenSent: HostedRequest['whenSent'] },
    handle: (tracker: RequestTracker) => Promise<Response>,
  ): Promise<Response> {
    const startedAt = performance.now();
    let method: string | undefined;
    let status = 500;
    whenSent(() => {
      inFlight.end();
      // A call of a tool measures itself: only it knows how it ended.
      if (method === undefined || method === 'tools/call') return;
      const error = status >= 400 ? String(status) : undefined;
      metrics.observe({ method, error, seconds: (performance.now() - startedAt) / 1000 });
    });
    const response = await handle({
      context,
      admitGrant(grantId) {
        context.grant = hashGrantId(grantId);
        if (inFlight.countForGrant(grantId)) return undefined;
        const message =
          'Too many requests of this sign-in run at once. Wait for some of them, then try again.';
        return reject(context, {
          reason: 'grant',
          response: createRpcError(429, -32_000, message, RETRY_HEADERS),
        });
      },
      reserveBody(bytes) {
        if (inFlight.reserveBytes(bytes)) return undefined;
        const message = 'This server is busy with long requests. Try again in a second.';
        // What was not read would stand before the next request of the connection.
        const headers = { ...RETRY_HEADERS, connection: 'close' };
        return reject(context, {
          reason: 'bodies',
          response: createRpcError(503, -32_000, message, headers),
        });
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
        const message = 'This server is busy. Try again in a second.';
        return reject(context, {
          reason: 'all',
          response: createRpcError(503, -32_000, message, RETRY_HEADERS),
        });
      }
      const response = await handleTracked({ context, inFlight, whenSent }, handle);
      response.headers.set(PROXY_REQUEST_ID_HEADER, context.id);
      return response;
    },
  };
}
