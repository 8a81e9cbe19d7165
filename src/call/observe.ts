import { randomUUID } from 'node:crypto';
import { redact } from '../answer/redact.ts';
import { getRequestId } from '../answer/response.ts';
import { untroubled } from '../limit/untroubled.ts';
import type { TransportResponse } from '../wire/transport.ts';
import type {
  CallSeen,
  Hooks,
  Logger,
  Observation,
  RequestEnd,
  RequestOutcome,
  RequestSeen,
} from './hooks.ts';
import type { Outcome, Rules, Turn, Wire } from './rules.ts';

/** Who is told of what happens; nobody where a client has neither hooks nor a logger. */
export interface Told {
  readonly log: Logger;
  /** The key; one list for all requests. A function, so that nothing that prints a client shows it. */
  readonly revealSecrets: () => readonly string[];
  call<Name extends keyof Hooks>(name: Name, event: Parameters<NonNullable<Hooks[Name]>>[0]): void;
}

export function createTold(to: {
  hooks: Hooks | readonly Hooks[] | undefined;
  logger: Logger | undefined;
  revealKey: () => string;
}): Told | undefined {
  const { logger, revealKey } = to;
  const all = to.hooks === undefined ? [] : [to.hooks].flat();
  if (all.length === 0 && !logger) return undefined;
  const secrets = [revealKey()];
  return {
    revealSecrets: () => secrets,
    log: (level, message, fields) => untroubled(() => logger?.(level, message, fields)),
    // Each name takes its own event, which an index by a union can't say.
    call(name, event) {
      for (const hooks of all)
        untroubled(() => (hooks[name] as ((event: unknown) => void) | undefined)?.call(hooks, event));
    },
  };
}

export function beginCall(
  told: Told,
  { operation, target }: Pick<Rules<unknown>, 'operation' | 'target'>,
): Observation {
  const seen: CallSeen = { callId: randomUUID(), operation, target };
  told.call('onCall', seen);
  return { seen, startedAt: performance.now(), requests: 0 };
}

export function endCall(
  told: Told,
  { seen, startedAt, requests }: Observation,
  error?: { error: unknown },
): void {
  told.call('onCallEnd', { ...seen, durationMs: performance.now() - startedAt, requests, ...error });
}

/** Tells of one request: its head, and its end however it comes. */
export function observeRequest<Result>(
  told: Told,
  { rules, wire, turn }: { rules: Rules<Result>; wire: Wire; turn: Turn },
) {
  const { observation, attempt, hops, lifetime } = turn;
  if (!observation) return undefined;
  const startedAt = performance.now();
  const secrets = told.revealSecrets();
  const seen: RequestSeen = {
    ...observation.seen,
    attempt,
    hops,
    method: wire.method,
    url: rules.target === 'api' ? redactQuery(wire.url, secrets) : getRedactedOrigin(wire.url),
  };
  observation.requests += 1;
  told.call('onRequest', seen);
  let status: number | undefined;
  const end = (outcome: RequestOutcome, error?: unknown) => {
    const durationMs = performance.now() - startedAt;
    const more = { ...(status === undefined ? {} : { status }), ...(error === undefined ? {} : { error }) };
    const event: RequestEnd = { ...seen, outcome, durationMs, ...more };
    told.call('onRequestEnd', event);
  };
  return {
    onHead(response: TransportResponse): void {
      status = response.status;
      const requestId = getRequestId(response.headers, secrets);
      const durationMs = performance.now() - startedAt;
      const event = { ...seen, status, durationMs, ...(requestId === undefined ? {} : { requestId }) };
      told.log('debug', 'answered', event);
      told.call('onResponse', event);
    },
    async until(running: Promise<Outcome<Result>>): Promise<Outcome<Result>> {
      try {
        const outcome = await running;
        if (outcome.kind === 'failed')
          end(getFailedOutcome(status, lifetime.abortedByCaller()), outcome.error);
        else end(outcome.kind === 'done' ? 'done' : 'redirected');
        return outcome;
      } catch (error) {
        end(getFailedOutcome(status, lifetime.abortedByCaller()), error);
        throw error;
      }
    },
  };
}

function getFailedOutcome(status: number | undefined, aborted: boolean): RequestOutcome {
  if (aborted) return 'aborted';
  return status !== undefined && status >= 300 ? 'refused' : 'failed';
}

/** The values of secret parameters are left out, whatever the host; `redact` would leave out all of an address's query. */
function redactQuery(url: string, secrets: readonly string[]): string {
  const query = url.indexOf('?');
  return query < 0
    ? redact(url, secrets)
    : redact(url.slice(0, query), secrets) + redact(url.slice(query), secrets);
}

/** Where a presigned address leads, without the rest of it: any part of that may be the permission. */
function getRedactedOrigin(url: string): string {
  return `${URL.parse(url)?.origin ?? 'storage'}/[redacted]`;
}
