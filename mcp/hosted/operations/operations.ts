import { performance } from 'node:perf_hooks';
import { isObject } from '../../../src/answer/fields.ts';
import type { Log } from '../../record/log.ts';
import type { ObserveCall } from '../../record/record-call.ts';
import { rpcError } from '../../start/http-body.ts';
import type { OpenState } from '../../state/shared-state.ts';
import { createCallLimits, type Limits, type Ticket } from './call-limits.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createObserver } from './observe-calls.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createRequestContext, grantHash, REQUEST_ID, type RequestScene } from './request-scene.ts';
import { createTracing } from './tracing.ts';

/** What is told of a request of the protocol while it is answered. */
export interface Visit {
  readonly scene: RequestScene;
  /** Counts the request for who signed in; the refusal where too many of his run. */
  admit(grantId: string): Response | undefined;
  /** Keeps room for its body, of so many bytes at most; the refusal where others' bodies fill it. */
  hold(bytes: number): Response | undefined;
  /** What it asks for. */
  heard(body: unknown): void;
}

export interface Asked {
  readonly request: Request;
  /** Calls `act` once the answer has been sent whole, or nobody reads it any more. */
  readonly whenSent: (act: () => void) => void;
}

/** What it takes to run a hosted server: bounds, probes, measures, one line a call. */
export interface Operations {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly observe: ObserveCall;
  /** Answers a request of the protocol within the bounds, with its id in the answer, until that has been sent. */
  serve(asked: Asked, answer: (visit: Visit) => Promise<Response>): Promise<Response>;
  running(): number;
}

export interface OperationsOptions {
  readonly log: Log;
  readonly state: OpenState;
  readonly replica: string;
  readonly connections: () => Promise<number>;
  readonly limits?: Limits;
}

const LIMITS: Limits = { perGrant: 64, inAll: 512, bodyBytes: 24 * 1024 * 1024 };
const RETRY = { 'retry-after': '1' };

export async function createOperations(options: OperationsOptions): Promise<Operations> {
  const { log, state, replica, connections } = options;
  const limits = createCallLimits(options.limits ?? LIMITS);
  const metrics = createMetrics({
    calls: limits.running,
    connections,
    state: async () => (await state()).condition(),
  });
  const observe = createObserver({ log, metrics, tracing: await createTracing() });

  function refuse(
    scene: RequestScene,
    refusal: { reason: 'grant' | 'all' | 'bodies'; response: Response },
  ): Response {
    metrics.refused(refusal.reason);
    log.warn('request_refused', { request_id: scene.id, grant: scene.grant, reason: refusal.reason });
    return refusal.response;
  }

  async function answerOne(
    { scene, ticket, whenSent }: { scene: RequestScene; ticket: Ticket; whenSent: Asked['whenSent'] },
    answer: (visit: Visit) => Promise<Response>,
  ): Promise<Response> {
    const startedAt = performance.now();
    let method: string | undefined;
    let status = 500;
    whenSent(() => {
      ticket.end();
      // A call of a tool measures itself: only it knows how it ended.
      if (method === undefined || method === 'tools/call') return;
      const error = status >= 400 ? String(status) : undefined;
      metrics.observe({ method, error, seconds: (performance.now() - startedAt) / 1000 });
    });
    const response = await answer({
      scene,
      admit(grantId) {
        scene.grant = grantHash(grantId);
        if (ticket.countFor(grantId)) return undefined;
        const message =
          'Too many requests of this sign-in run at once. Wait for some of them, then try again.';
        return refuse(scene, { reason: 'grant', response: rpcError(429, -32_000, message, RETRY) });
      },
      hold(bytes) {
        if (ticket.holdBytes(bytes)) return undefined;
        const message = 'This server is busy with long requests. Try again in a second.';
        // What was not read would stand before the next request of the connection.
        const headers = { ...RETRY, connection: 'close' };
        return refuse(scene, { reason: 'bodies', response: rpcError(503, -32_000, message, headers) });
      },
      heard(body) {
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
    async serve({ request, whenSent }, answer) {
      const scene = createRequestContext(request);
      const ticket = limits.begin();
      if (!ticket) {
        const message = 'This server is busy. Try again in a second.';
        return refuse(scene, { reason: 'all', response: rpcError(503, -32_000, message, RETRY) });
      }
      const response = await answerOne({ scene, ticket, whenSent }, answer);
      response.headers.set(REQUEST_ID, scene.id);
      return response;
    },
  };
}
