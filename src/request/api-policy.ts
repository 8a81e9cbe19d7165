import { Readable } from 'node:stream';
import type { NamedOperation } from '../operations/index.ts';
import { callSafely } from '../rate-limit/call-safely.ts';
import type { LimiterRunOptions } from '../rate-limit/limiter.ts';
import { getRequestId, type TextResponse } from '../response/parse-body.ts';
import type { ResponseHead } from '../response/response-head.ts';
import { CLIENT_CLOSED_CODE, getErrorCode, isClientClosed } from '../retry/retry.ts';
import type { TransportResponse } from '../transport/transport.ts';
import type { ClientContext, RequestOptions } from './client-context.ts';
import { checkHeaders } from './custom-headers.ts';
import {
  explainFault,
  explainRedirect,
  explainRejection,
  explainTruncated,
  type FailureContext,
} from './explain-failure.ts';
import { toClosedResponse, toTruncatedResponse } from './read-response-text.ts';
import { resolveRedirect } from './redirect.ts';
import type {
  AttemptOutcome,
  AttemptState,
  Failure,
  PreparedRequest,
  RequestPolicy,
} from './request-policy.ts';
import { validateRequestOptions } from './validate-request-options.ts';

/**
 * From the start of the first attempt, where no deadline is told: a long queue of calls is no failure. A file takes its time and has
 * none; it waits for no longer than that either.
 */
const DEFAULT_DEADLINE_MS = 300_000;

/** Told of each head that comes, redirects and refusals too. */
export interface ResponseHeadListener {
  readonly onResponseHead?: (response: TransportResponse) => void;
}

export interface SendRequestParams<Result> extends ResponseHeadListener {
  readonly named: NamedOperation;
  readonly request: PreparedRequest;
  readonly options: RequestOptions;
  /** Turns the head of a 2xx (or of a redirect, where `acceptsRedirects` says so) into the result. */
  readonly read: RequestPolicy<Result>['read'];
  /** A redirect is an answer. */
  readonly acceptsRedirects?: boolean;
  /** Of a write: the result of one that ran, where its answer did not come whole. */
  readonly toTruncatedResult?: (textResponse: TextResponse) => Result;
}

/** The rules of the API: in turn, with the key, on one origin, and never twice what may have run. */
export function createApiPolicy<Result>(
  context: ClientContext,
  params: SendRequestParams<Result>,
): RequestPolicy<Result> {
  const { named, options, acceptsRedirects = false, read, toTruncatedResult } = params;
  const failureContext: FailureContext = { context, named, options };
  validateRequestOptions(options);
  const headers = options.headers
    ? { ...context.headers, ...checkHeaders(options.headers) }
    : context.headers;
  const seeOther = createSeeOtherTracker(toTruncatedResult);
  return {
    operation: named.name,
    target: 'api',
    retries: options.retries ?? context.retry.retries,
    timeoutMs: options.timeoutMs ?? context.timeoutMs,
    rebuildsRequest: false,
    ...(isFileUpload(named) && getDeadlineMs(context, options) === undefined
      ? { maxRetryWaitMs: DEFAULT_DEADLINE_MS }
      : {}),
    prepare: () => params.request,
    headers: (requestHeaders) => ({
      ...requestHeaders,
      ...headers,
      authorization: `Bearer ${context.revealKey()}`,
    }),
    schedule: (run, state) => {
      const outcome = context.limiter.run(
        () => {
          state.cancellation.startDeadline(
            isFileUpload(named) ? Number.POSITIVE_INFINITY : DEFAULT_DEADLINE_MS,
          );
          state.cancellation.sent = true;
          const { onRequest } = options;
          if (onRequest)
            callSafely(() => onRequest({ operation: named.name, method: params.request.method }));
          return run();
        },
        getQueueOptions(context, params, state),
      );
      return state.hops > 0
        ? outcome.catch((error: unknown) => seeOther.resultOrThrow(error, state))
        : outcome;
    },
    onResponseHead(response) {
      params.onResponseHead?.(response);
      const { onResponse } = options;
      if (onResponse) callSafely(() => onResponse(toResponseHead(context, response)));
    },
    accepts: (status) => status >= 200 && status < (acceptsRedirects ? 400 : 300),
    read,
    follow: ({ status, headers }, { request, state }) => {
      const nextRequest = resolveRedirect(request, {
        status,
        location: headers['location'],
        hops: state.hops,
      });
      if (typeof nextRequest === 'string')
        return seeOther.withFallback(
          explainRedirect(failureContext, { status, method: request.method, reason: nextRequest }),
        );
      if (nextRequest.method !== request.method) seeOther.record({ status, headers });
      return { kind: 'moved', request: nextRequest };
    },
    onFault: (fault, attemptInfo) => seeOther.withFallback(explainFault(failureContext, attemptInfo, fault)),
    onTruncated: (fault, response, attemptInfo) => {
      // §7: it is a success, whatever became of its body.
      if (toTruncatedResult && !attemptInfo.state.cancellation.isAbortedByCaller())
        return {
          kind: 'done',
          result: toTruncatedResult(
            isClientClosed(getErrorCode(fault)) ? toClosedResponse(response) : toTruncatedResponse(response),
          ),
        };
      return explainTruncated(failureContext, attemptInfo, { response, fault });
    },
    async onRejection(textResponse, attemptInfo) {
      const { status } = textResponse;
      // An earlier attempt may have deleted it: 404 then means that it is done.
      if (
        attemptInfo.request.method === 'DELETE' &&
        attemptInfo.state.mayHaveRun &&
        (status === 404 || status === 410)
      )
        return {
          kind: 'done',
          result: await read({ status: 204, headers: {}, body: Readable.from([]) }, createReleasedController),
        };
      return seeOther.withFallback(explainRejection(failureContext, attemptInfo, textResponse));
    },
  };
}

/**
 * A 303 says that a write has run and where its result stands: whatever becomes of reading that, the write is done.
 */
function createSeeOtherTracker<Result>(toTruncatedResult: SendRequestParams<Result>['toTruncatedResult']) {
  let head: Pick<TransportResponse, 'status' | 'headers'> | undefined;
  const result = (error: unknown) => {
    if (!head) return undefined;
    const [reason, code] = isClientClosed(getErrorCode(error))
      ? ['was not read, because the client was closed', { code: CLIENT_CLOSED_CODE }]
      : ['could not be read', {}];
    return toTruncatedResult?.({
      ...toTruncatedResponse(head),
      truncationReason: `stands at another address, where it ${reason}`,
      ...code,
    });
  };
  return {
    record(response: Pick<TransportResponse, 'status' | 'headers'>): void {
      head = response;
    },
    withFallback(failure: Failure<never>): Failure<Result> {
      const fallbackResult = result(failure.error);
      return fallbackResult === undefined ? failure : { ...failure, fallbackResult };
    },
    resultOrThrow(error: unknown, { cancellation }: AttemptState): AttemptOutcome<Result> {
      const fallbackResult = cancellation.isAbortedByCaller() ? undefined : result(error);
      if (fallbackResult === undefined) throw error;
      return { kind: 'done', result: fallbackResult };
    },
  };
}

/** A call that was refused or moved goes before calls that have not begun. */
function getQueueOptions<Result>(
  context: ClientContext,
  { named, options }: SendRequestParams<Result>,
  { cancellation, attempt, hops, observation }: AttemptState,
): LimiterRunOptions {
  const { observer } = context;
  const deadlineMs = getDeadlineMs(context, options);
  const maxWaitMs = options.maxWaitMs ?? context.maxWaitMs;
  const hasOwnBound = attempt > 0 || deadlineMs !== undefined || options.maxWaitMs !== undefined;
  const queueOptions = {
    priority: (options.priority ?? 0) + (attempt + hops > 0 ? 0.5 : 0),
    // A turn that comes after the client's end would come for nobody.
    maxWaitMs: Math.min(maxWaitMs, context.endsAt - performance.now()),
    // Who set no bound waits for a long queue, but not in silence for a service that is closed for the day.
    maxPauseMs: hasOwnBound ? Number.POSITIVE_INFINITY : DEFAULT_DEADLINE_MS,
    isLongRunning: isFileUpload(named),
    signal: cancellation.canBeCancelled() ? cancellation.signal() : context.closing,
  };
  const { onWait } = options;
  if (!observer && !onWait) return queueOptions;
  return {
    ...queueOptions,
    onWait: (wait) => {
      if (observer && observation) {
        observer.log('info', 'waiting for the rate limit', { operation: named.name, ...wait });
        observer.emit('onWait', { ...observation.callEvent, ...wait });
      }
      if (onWait) callSafely(() => onWait(wait));
    },
  };
}

function isFileUpload({ operation }: NamedOperation): boolean {
  return operation.bodyEncoding === 'multipart';
}

/** What was told, for this call or for all of the client's. */
export function getDeadlineMs(context: ClientContext, options: RequestOptions): number | undefined {
  return options.deadlineMs ?? context.deadlineMs;
}

/** What is already whole needs no hold. */
function createReleasedController(): AbortController {
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
