import { randomUUID } from 'node:crypto';
import { getRequestId } from '../api-errors/text-response.ts';
import { callSafely } from '../rate-limit/call-safely.ts';
import { redact } from '../redact/redact.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { isAbortedByCaller } from './cancellation.ts';
import type {
  CallEvent,
  CallObservation,
  Hooks,
  Logger,
  RequestEndEvent,
  RequestEvent,
  RequestOutcome,
} from './hooks.ts';
import type { AttemptOutcome, AttemptState, PreparedRequest, RequestPolicy } from './request-policy.ts';

/** Passes events to hooks and logger; undefined without any. */
export interface Observer {
  readonly log: Logger;
  /** The key, as one cached list. A function, so printing a client never shows it. */
  readonly revealSecrets: () => readonly string[];
  emit<Name extends keyof Hooks>(name: Name, event: Parameters<NonNullable<Hooks[Name]>>[0]): void;
}

export function createObserver(options: {
  hooks: Hooks | readonly Hooks[] | undefined;
  logger: Logger | undefined;
  revealKey: () => string;
}): Observer | undefined {
  const { logger, revealKey } = options;
  const allHooks = options.hooks === undefined ? [] : [options.hooks].flat();
  if (allHooks.length === 0 && !logger) return undefined;
  const secrets = [revealKey()];
  return {
    revealSecrets: () => secrets,
    log: (level, message, fields) => callSafely(() => logger?.(level, message, fields)),
    // Each name takes its own event, which indexing by a union can't express.
    emit(name, event) {
      for (const hooks of allHooks)
        callSafely(() => (hooks[name] as ((event: unknown) => void) | undefined)?.call(hooks, event));
    },
  };
}

export function startObservation(
  observer: Observer,
  { operation, target }: Pick<RequestPolicy<unknown>, 'operation' | 'target'>,
): CallObservation {
  const callEvent: CallEvent = { callId: randomUUID(), operation, target };
  observer.emit('onCall', callEvent);
  return { callEvent, startedAt: performance.now(), requests: 0 };
}

export function endObservation(
  observer: Observer,
  { callEvent, startedAt, requests }: CallObservation,
  error?: { error: unknown },
): void {
  observer.emit('onCallEnd', { ...callEvent, durationMs: performance.now() - startedAt, requests, ...error });
}

/** Reports one request: its head and its end. */
export function createRequestObserver<Result>(
  observer: Observer,
  { policy, request, state }: { policy: RequestPolicy<Result>; request: PreparedRequest; state: AttemptState },
) {
  const { observation, attempt, hops, cancellation } = state;
  if (!observation) return undefined;
  const startedAt = performance.now();
  const secrets = observer.revealSecrets();
  const requestEvent: RequestEvent = {
    ...observation.callEvent,
    attempt,
    hops,
    method: request.method,
    url: policy.target === 'api' ? redactQuery(request.url, secrets) : getRedactedOrigin(request.url),
  };
  observation.requests += 1;
  observer.emit('onRequest', requestEvent);
  let status: number | undefined;
  const emitRequestEnd = (outcome: RequestOutcome, error?: unknown) => {
    const durationMs = performance.now() - startedAt;
    const optionalFields = { ...(status === undefined ? {} : { status }), ...(error === undefined ? {} : { error }) };
    const event: RequestEndEvent = { ...requestEvent, outcome, durationMs, ...optionalFields };
    observer.emit('onRequestEnd', event);
  };
  const getFailedOutcome = (): RequestOutcome => {
    if (isAbortedByCaller(cancellation)) return 'aborted';
    return status !== undefined && status >= 300 ? 'rejected' : 'failed';
  };
  return {
    onResponseHead(response: TransportResponse): void {
      status = response.status;
      const requestId = getRequestId(response.headers, secrets);
      const durationMs = performance.now() - startedAt;
      const event = { ...requestEvent, status, durationMs, ...(requestId === undefined ? {} : { requestId }) };
      observer.log('debug', 'Response received', event);
      observer.emit('onResponse', event);
    },
    async trackOutcome(outcomePromise: Promise<AttemptOutcome<Result>>): Promise<AttemptOutcome<Result>> {
      try {
        const outcome = await outcomePromise;
        if (outcome.kind === 'failed') emitRequestEnd(getFailedOutcome(), outcome.error);
        else emitRequestEnd(outcome.kind);
        return outcome;
      } catch (error) {
        emitRequestEnd(getFailedOutcome(), error);
        throw error;
      }
    },
  };
}

/** Redacts the values of secret parameters; `redact` alone would remove the whole query. */
function redactQuery(url: string, secrets: readonly string[]): string {
  const query = url.indexOf('?');
  return query < 0 ? redact(url, secrets) : redact(url.slice(0, query), secrets) + redact(url.slice(query), secrets);
}

/** Returns the origin of a presigned URL: any other part may be the permission. */
function getRedactedOrigin(url: string): string {
  return `${URL.parse(url)?.origin ?? 'storage'}/[redacted]`;
}
