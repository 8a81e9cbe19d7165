import { Readable } from 'node:stream';
import { getRequestId, type TextResponse } from '../api-errors/text-response.ts';
import { TimeoutError } from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import { callSafely } from '../rate-limit/call-safely.ts';
import type { LimiterRunOptions } from '../rate-limit/limiter.ts';
import type { ApiResponse, ResponseHead } from '../response/response-head.ts';
import { CLIENT_CLOSED_CODE, getErrorCode, isClientClosed } from '../retry/retry.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { type Cancellation, canBeCancelled, getSignal, isAbortedByCaller, startDeadline } from './cancellation.ts';
import type { ClientContext, RequestOptions } from './client-context.ts';
import { checkHeaders } from './custom-headers.ts';
import {
  explainFault,
  explainRedirect,
  explainRejection,
  explainTruncated,
  type FailureContext,
} from './explain-failure.ts';
import { explainInterruption } from './explain-interruption.ts';
import { describeBodyFault, toClientClosedResponse, toTruncatedResponse } from './read-response-text.ts';
import { resolveRedirect } from './redirect.ts';
import type {
  AttemptHandlers,
  AttemptOutcome,
  AttemptState,
  Failure,
  PreparedRequest,
  RequestPolicy,
} from './request-policy.ts';
import { validateRequestOptions } from './validate-request-options.ts';

/** Counted from the first attempt, because queueing is not a failure. Uploads only have this maximum retry wait. */
const DEFAULT_DEADLINE_MS = 300_000;

/** Holds what a call's `withResponse` tells. */
export interface ResponseRecord {
  /** Head of the last response, of redirects and rejections too. */
  head: Pick<TransportResponse, 'status' | 'headers'>;
  note: Required<Pick<ApiResponse, 'note' | 'text'>> | undefined;
}

export interface SendRequestParams<Result> {
  readonly responseRecord?: ResponseRecord | undefined;
  readonly named: NamedOperation;
  readonly request: PreparedRequest;
  readonly options: RequestOptions;
  /** Turns the head of a 2xx (or of a redirect, with `acceptsRedirects`) into the result. */
  readonly read: AttemptHandlers<Result>['read'];
  /** Treats a redirect as the response. */
  readonly acceptsRedirects?: boolean;
  /** For a write: the result if it ran, but its response was truncated. */
  readonly toTruncatedResult?: (textResponse: TextResponse) => Result;
}

/**
 * Policy for the API: rate limit, key, one origin, and no repetition of a write that may have run. A class, because a
 * waiting call would hold each function of an object.
 */
export class ApiPolicy<Result> implements RequestPolicy<Result> {
  readonly retries: number;
  readonly timeoutMs: number;
  readonly #context: ClientContext;
  readonly #params: SendRequestParams<Result>;
  readonly #headers: ClientContext['headers'];
  #seeOther: SeeOther<Result> | undefined;

  constructor(context: ClientContext, params: SendRequestParams<Result>) {
    const { options } = params;
    validateRequestOptions(options);
    this.retries = options.retries ?? context.retry.retries;
    this.timeoutMs = options.timeoutMs ?? context.timeoutMs;
    this.#context = context;
    this.#params = params;
    this.#headers = options.headers ? { ...context.headers, ...checkHeaders(options.headers) } : context.headers;
  }

  get operation() {
    return this.#params.named.name;
  }

  get target() {
    return 'api' as const;
  }

  get rebuildsRequest() {
    return false;
  }

  get maxRetryWaitMs() {
    const { named, options } = this.#params;
    const isBoundedUpload = isFileUpload(named) && getDeadlineMs(this.#context, options) === undefined;
    return isBoundedUpload ? DEFAULT_DEADLINE_MS : undefined;
  }

  prepare(): PreparedRequest {
    if (performance.now() >= this.#context.endsAt)
      throw new TimeoutError(`${this.operation}: not sent, because the client's lifetime is over.`);
    return this.#params.request;
  }

  schedule(run: () => Promise<AttemptOutcome<Result>>, state: AttemptState): Promise<AttemptOutcome<Result>> {
    const context = this.#context;
    const outcome = context.limiter.run(
      () => {
        const { named, options, request } = this.#params;
        const { cancellation } = state;
        startDeadline(cancellation, isFileUpload(named) ? Number.POSITIVE_INFINITY : DEFAULT_DEADLINE_MS);
        cancellation.sent = true;
        const { onRequest } = options;
        if (onRequest) callSafely(() => onRequest({ operation: named.name, method: request.method }));
        return run();
      },
      getQueueOptions(context, this.#params, state),
    );
    return this.#seeOther?.head ? toResultOnError(outcome, this.#seeOther, state) : outcome;
  }

  createHandlers(): AttemptHandlers<Result> {
    this.#seeOther = { head: undefined, toResult: this.#params.toTruncatedResult };
    return createApiHandlers(this.#context, this.#params, { headers: this.#headers, seeOther: this.#seeOther });
  }

  explainError(error: unknown, cancellation: Cancellation): unknown {
    const { named, options } = this.#params;
    return explainInterruption(error, { context: this.#context, named, options, cancellation });
  }
}

function createApiHandlers<Result>(
  context: ClientContext,
  params: SendRequestParams<Result>,
  { headers, seeOther }: { headers: ClientContext['headers']; seeOther: SeeOther<Result> },
): AttemptHandlers<Result> {
  const { named, options, acceptsRedirects = false, read, toTruncatedResult } = params;
  const failureContext: FailureContext = { context, named, options };
  return {
    headers: (requestHeaders) => ({ ...requestHeaders, ...headers, authorization: `Bearer ${context.revealKey()}` }),
    onResponseHead(response) {
      if (params.responseRecord) params.responseRecord.head = response;
      const { onResponse } = options;
      if (onResponse) callSafely(() => onResponse(toResponseHead(context, response)));
    },
    accepts: (status) => status >= 200 && status < (acceptsRedirects ? 400 : 300),
    read,
    follow: ({ status, headers }, { request, state }) => {
      const { location } = headers;
      const nextRequest = resolveRedirect(request, { status, location, hops: state.hops });
      if (typeof nextRequest === 'string')
        return withFallback(
          seeOther,
          explainRedirect(failureContext, { status, method: request.method, reason: nextRequest }),
        );
      if (nextRequest.method !== request.method) seeOther.head = { status, headers };
      return { kind: 'redirected', request: nextRequest };
    },
    onFault: (fault, attemptInfo) => withFallback(seeOther, explainFault(failureContext, attemptInfo, fault)),
    onTruncated: (fault, response, attemptInfo) => {
      // §7: a success, whatever happened to its body.
      if (toTruncatedResult && !isAbortedByCaller(attemptInfo.state.cancellation))
        return {
          kind: 'succeeded',
          result: toTruncatedResult(
            isClientClosed(getErrorCode(fault))
              ? toClientClosedResponse(response)
              : { ...toTruncatedResponse(response), truncationReason: describeBodyFault(fault, response) },
          ),
        };
      return explainTruncated(failureContext, attemptInfo, { response, fault });
    },
    async onRejection(textResponse, attemptInfo) {
      const { status } = textResponse;
      // An earlier attempt may have deleted the object: 404 then means success.
      if (attemptInfo.request.method === 'DELETE' && attemptInfo.state.mayHaveRun && (status === 404 || status === 410))
        return {
          kind: 'succeeded',
          result: await read({ status: 204, headers: {}, body: Readable.from([]) }, () => new AbortController()),
        };
      return withFallback(seeOther, explainRejection(failureContext, attemptInfo, textResponse));
    },
  };
}

/** A 303 confirms a write and names the URL of its result: the write succeeded even if that can't be read. */
interface SeeOther<Result> {
  /** Set once a 303 came. */
  head: Pick<TransportResponse, 'status' | 'headers'> | undefined;
  readonly toResult: SendRequestParams<Result>['toTruncatedResult'];
}

function toSeeOtherResult<Result>({ head, toResult }: SeeOther<Result>, error: unknown): Result | undefined {
  if (!head) return undefined;
  const [reason, code] = isClientClosed(getErrorCode(error))
    ? ['was not read, because the client was closed', { code: CLIENT_CLOSED_CODE }]
    : ['could not be read', {}];
  return toResult?.({ ...toTruncatedResponse(head), truncationReason: `is at another URL and ${reason}`, ...code });
}

function withFallback<Result>(seeOther: SeeOther<Result>, failure: Failure<never>): Failure<Result> {
  const fallbackResult = toSeeOtherResult(seeOther, failure.error);
  return fallbackResult === undefined ? failure : { ...failure, fallbackResult };
}

async function toResultOnError<Result>(
  outcome: Promise<AttemptOutcome<Result>>,
  seeOther: SeeOther<Result>,
  { cancellation }: AttemptState,
): Promise<AttemptOutcome<Result>> {
  try {
    return await outcome;
  } catch (error) {
    const fallbackResult = isAbortedByCaller(cancellation) ? undefined : toSeeOtherResult(seeOther, error);
    if (fallbackResult === undefined) throw error;
    return { kind: 'succeeded', result: fallbackResult };
  }
}

/** Retries and redirects go before new calls. */
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
    // A call that starts after the client's lifetime is useless.
    maxWaitMs: Math.min(maxWaitMs, context.endsAt - performance.now()),
    // Without a bound, a call waits for a long queue, but not for a service closed for hours.
    maxPauseMs: hasOwnBound ? Number.POSITIVE_INFINITY : DEFAULT_DEADLINE_MS,
    isLongRunning: isFileUpload(named),
    signal: canBeCancelled(cancellation) ? getSignal(cancellation) : context.closing,
  };
  const { onWait } = options;
  if (!observer && !onWait) return queueOptions;
  return {
    ...queueOptions,
    onWait: (wait) => {
      if (observer && observation) {
        observer.log('info', 'Waiting for the rate limit', { operation: named.name, ...wait });
        observer.emit('onWait', { ...observation.callEvent, ...wait });
      }
      if (onWait) callSafely(() => onWait(wait));
    },
  };
}

function isFileUpload({ operation }: NamedOperation): boolean {
  return operation.bodyEncoding === 'multipart';
}

export function getDeadlineMs(context: ClientContext, options: RequestOptions): number | undefined {
  return options.deadlineMs ?? context.deadlineMs;
}

export function toResponseHead(
  context: ClientContext,
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
): ResponseHead {
  const requestId = getRequestId(headers, [context.revealKey()]);
  return { status, headers, ...(requestId === undefined ? {} : { requestId }) };
}
