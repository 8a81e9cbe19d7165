import { Readable } from 'node:stream';
import { getRequestId, type TextAnswer } from '../answer/response.ts';
import type { ResponseHead } from '../answer/response-head.ts';
import type { LimiterRun } from '../limit/limiter.ts';
import { untroubled } from '../limit/untroubled.ts';
import type { NamedOperation } from '../operations/index.ts';
import { CLOSED_CODE, getErrorCode, isClosed } from '../retry/retry.ts';
import type { TransportResponse } from '../wire/transport.ts';
import type { ClientContext, RequestOptions } from './context.ts';
import { explainCut, explainFault, explainRedirect, explainStatus, type Failing } from './failure.ts';
import { checkHeaders } from './headers.ts';
import { checkOptions } from './options.ts';
import { closedShort, cutShort } from './read-text.ts';
import { nextHop } from './redirect.ts';
import type { Failure, Outcome, Rules, Turn, Wire } from './rules.ts';

/**
 * From the start of the first attempt, where no deadline is told: a long queue of calls is no failure. A file takes its time and has
 * none; it waits for no longer than that either.
 */
const DEFAULT_DEADLINE_MS = 300_000;

/** Told of each head that comes, redirects and refusals too. */
export interface Heard {
  readonly onHead?: (response: TransportResponse) => void;
}

export interface CallParams<Result> extends Heard {
  readonly named: NamedOperation;
  readonly wire: Wire;
  readonly options: RequestOptions;
  /** Turns the head of a 2xx (or of a redirect, where `redirects` says so) into the result. */
  readonly read: Rules<Result>['read'];
  /** A redirect is an answer. */
  readonly redirects?: boolean;
  /** Of a write: the result of one that ran, where its answer did not come whole. */
  readonly ran?: (answer: TextAnswer) => Result;
}

/** The rules of the API: in turn, with the key, on one origin, and never twice what may have run. */
export function createApiRules<Result>(context: ClientContext, params: CallParams<Result>): Rules<Result> {
  const { named, options, redirects = false, read, ran } = params;
  const failing: Failing = { context, named, options };
  checkOptions(options);
  const headers = options.headers
    ? { ...context.headers, ...checkHeaders(options.headers) }
    : context.headers;
  const acted = createActed(ran);
  return {
    operation: named.name,
    target: 'api',
    retries: options.retries ?? context.retry.retries,
    timeoutMs: options.timeoutMs ?? context.timeoutMs,
    renews: false,
    ...(isFile(named) && getDeadlineMs(context, options) === undefined
      ? { longestWaitMs: DEFAULT_DEADLINE_MS }
      : {}),
    prepare: () => params.wire,
    headers: (of) => ({ ...of, ...headers, authorization: `Bearer ${context.revealKey()}` }),
    inTurn: (run, turn) => {
      const outcome = context.limiter.run(
        () => {
          turn.lifetime.begin(isFile(named) ? Number.POSITIVE_INFINITY : DEFAULT_DEADLINE_MS);
          turn.lifetime.sent = true;
          const { onRequest } = options;
          if (onRequest) untroubled(() => onRequest({ operation: named.name, method: params.wire.method }));
          return run();
        },
        getQueueOptions(context, params, turn),
      );
      return turn.hops > 0 ? outcome.catch((error: unknown) => acted.orThrow(error, turn)) : outcome;
    },
    onHead(response) {
      params.onHead?.(response);
      const { onResponse } = options;
      if (onResponse) untroubled(() => onResponse(toResponseHead(context, response)));
    },
    accepts: (status) => status >= 200 && status < (redirects ? 400 : 300),
    read,
    follow: ({ status, headers }, { wire, turn }) => {
      const hop = nextHop(wire, { status, location: headers['location'], hops: turn.hops });
      if (typeof hop === 'string')
        return acted.instead(explainRedirect(failing, { status, method: wire.method, why: hop }));
      if (hop.method !== wire.method) acted.see({ status, headers });
      return { kind: 'moved', wire: hop };
    },
    onFault: (fault, tried) => acted.instead(explainFault(failing, tried, fault)),
    onCut: (fault, response, tried) => {
      // §7: it is a success, whatever became of its body.
      if (ran && !tried.turn.lifetime.abortedByCaller())
        return {
          kind: 'done',
          result: ran(isClosed(getErrorCode(fault)) ? closedShort(response) : cutShort(response)),
        };
      return explainCut(failing, tried, { response, fault });
    },
    async onRefusal(answer, tried) {
      const { status } = answer;
      // An earlier attempt may have deleted it: 404 then means that it is done.
      if (tried.wire.method === 'DELETE' && tried.turn.mayHaveRun && (status === 404 || status === 410))
        return {
          kind: 'done',
          result: await read({ status: 204, headers: {}, body: Readable.from([]) }, released),
        };
      return acted.instead(explainStatus(failing, tried, answer));
    },
  };
}

/**
 * A 303 says that a write has run and where its result stands: whatever becomes of reading that, the write is done.
 */
function createActed<Result>(ran: CallParams<Result>['ran']) {
  let head: Pick<TransportResponse, 'status' | 'headers'> | undefined;
  const result = (error: unknown) => {
    if (!head) return undefined;
    const [why, code] = isClosed(getErrorCode(error))
      ? ['was not read, because the client was closed', { code: CLOSED_CODE }]
      : ['could not be read', {}];
    return ran?.({ ...cutShort(head), lost: `stands at another address, where it ${why}`, ...code });
  };
  return {
    see(response: Pick<TransportResponse, 'status' | 'headers'>): void {
      head = response;
    },
    instead(failure: Failure<never>): Failure<Result> {
      const instead = result(failure.error);
      return instead === undefined ? failure : { ...failure, instead };
    },
    orThrow(error: unknown, { lifetime }: Turn): Outcome<Result> {
      const instead = lifetime.abortedByCaller() ? undefined : result(error);
      if (instead === undefined) throw error;
      return { kind: 'done', result: instead };
    },
  };
}

/** A call that was refused or moved goes before calls that have not begun. */
function getQueueOptions<Result>(
  context: ClientContext,
  { named, options }: CallParams<Result>,
  { lifetime, attempt, hops, observation }: Turn,
): LimiterRun {
  const { told } = context;
  const deadlineMs = getDeadlineMs(context, options);
  const maxWaitMs = options.maxWaitMs ?? context.maxWaitMs;
  const patient = attempt > 0 || deadlineMs !== undefined || options.maxWaitMs !== undefined;
  const place = {
    priority: (options.priority ?? 0) + (attempt + hops > 0 ? 0.5 : 0),
    // A turn that comes after the client's end would come for nobody.
    maxWaitMs: Math.min(maxWaitMs, context.endsAt - performance.now()),
    // Who set no bound waits for a long queue, but not in silence for a service that is closed for the day.
    maxPauseMs: patient ? Number.POSITIVE_INFINITY : DEFAULT_DEADLINE_MS,
    lasting: isFile(named),
    signal: lifetime.isBounded() ? lifetime.signal() : context.closing,
  };
  const { onWait } = options;
  if (!told && !onWait) return place;
  return {
    ...place,
    onWait: (wait) => {
      if (told && observation) {
        told.log('info', 'waiting for the rate limit', { operation: named.name, ...wait });
        told.call('onWait', { ...observation.seen, ...wait });
      }
      if (onWait) untroubled(() => onWait(wait));
    },
  };
}

function isFile({ operation }: NamedOperation): boolean {
  return operation.sends === 'multipart';
}

/** What was told, for this call or for all of the client's. */
export function getDeadlineMs(context: ClientContext, options: RequestOptions): number | undefined {
  return options.deadlineMs ?? context.deadlineMs;
}

/** What is already whole needs no hold. */
function released(): AbortController {
  return new AbortController();
}

/** What callers see of a head. */
export function toResponseHead(
  context: ClientContext,
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
): ResponseHead {
  const requestId = getRequestId(headers, [context.revealKey()]);
  return { status, headers, ...(requestId === undefined ? {} : { requestId }) };
}
