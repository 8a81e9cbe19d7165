import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientContext, RequestOptions } from './context.ts';
import {
  type ApiError,
  DocshareError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
} from './errors.ts';
import { LimiterWaitError } from './limiter.ts';
import type { NamedOperation } from './operations/index.ts';
import type { BuiltRequest } from './request.ts';
import { type Answer, failureOf, requestIdOf } from './response.ts';
import { backoffMs, codeOf, isOutcomeUnknown, isRepeatable, isStatusRetried, isUnsent } from './retry.ts';
import { type RequestBody, readBytes, type TransportResponse } from './transport.ts';

/** What goes on the wire: a fresh body for each attempt, since a stream can be sent only once. */
export interface Wire {
  readonly request: BuiltRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: () => RequestBody;
}

/** How far an attempt got: its answer, or an error and whether the same request may be sent again. */
type Attempt<Result> =
  | { readonly done: true; readonly result: Result }
  | {
      readonly done: false;
      readonly error: DocshareError;
      readonly again: boolean;
      readonly waitMs?: number;
    };

/**
 * Sends one operation through the limiter, again where that is safe, within one deadline.
 * `read` turns the head of a 2xx (or of a redirect, where `redirects` says so) into the result.
 */
export async function call<Result>(
  context: ClientContext,
  params: {
    named: NamedOperation;
    wire: Wire;
    options: RequestOptions;
    read: (response: TransportResponse) => Promise<Result>;
    redirects?: boolean;
  },
): Promise<Result> {
  const { named, options } = params;
  const { method } = params.wire.request;
  const deadline = AbortSignal.timeout(options.deadlineMs ?? context.deadlineMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  let mayHaveRun = false;
  for (let attempt = 0; ; attempt++) {
    let outcome: Attempt<Result>;
    try {
      outcome = await context.limiter.run(() => attemptOnce(context, params, signal), {
        signal,
        priority: options.priority ?? 0,
        maxWaitMs: options.maxWaitMs ?? context.maxWaitMs,
        onWait: (wait) => {
          context.log('info', 'waiting for the rate limit', { operation: named.name, ...wait });
          context.hooks.onWait?.({ operation: named.name, ...wait });
          options.onWait?.(wait);
        },
      });
    } catch (error) {
      throw explainInterruption(error, { named, options, deadline });
    }
    if (outcome.done) return outcome.result;
    const { error } = outcome;
    // An earlier attempt may have deleted it: 404 then means that it is done.
    if (method === 'DELETE' && mayHaveRun && error instanceof NotFoundError) return params.read(EMPTY);
    mayHaveRun ||= !(error instanceof RateLimitError);
    if (!outcome.again || attempt >= context.retry.retries) throw error;
    const waitMs = Math.min(outcome.waitMs ?? backoffMs(attempt, context.retry), context.retry.maxDelayMs);
    context.log('warn', 'retrying', {
      operation: named.name,
      attempt: attempt + 1,
      waitMs,
      reason: error.name,
    });
    context.hooks.onRetry?.({ operation: named.name, attempt: attempt + 1, waitMs, error });
    if (error instanceof RateLimitError) context.limiter.pause(waitMs);
    else
      await sleep(waitMs, undefined, { signal }).catch((cause) => {
        throw explainInterruption(cause, { named, options, deadline });
      });
  }

  function attemptOnce(ctx: ClientContext, p: typeof params, outer: AbortSignal): Promise<Attempt<Result>> {
    return sendOnce(ctx, p, outer).catch((error: unknown): Attempt<Result> => {
      if (options.signal?.aborted) throw error;
      if (error instanceof DocshareError) {
        // A 2xx that can't be read has run; only a read may be asked again.
        const cut = error instanceof UnexpectedResponseError || error instanceof UnknownOutcomeError;
        return { done: false, error, again: !cut };
      }
      const code = codeOf(error);
      const unsent = isUnsent(code);
      const timedOut = error instanceof Error && error.name === 'TimeoutError';
      const plain = timedOut
        ? new TimeoutError(`${named.name}: no whole answer within ${options.timeoutMs ?? ctx.timeoutMs} ms.`)
        : new NetworkError(
            `${named.name}: the service could not be reached at ${ctx.origin}${code ? ` (${code})` : ''}. Check the base URL and the connection.`,
            code,
          );
      if (isRepeatable(method) || unsent) return { done: false, error: plain, again: !outer.aborted };
      return { done: false, error: unknownOutcome(named), again: false };
    });
  }
}

async function sendOnce<Result>(
  context: ClientContext,
  params: {
    named: NamedOperation;
    wire: Wire;
    options: RequestOptions;
    read: (response: TransportResponse) => Promise<Result>;
    redirects?: boolean;
  },
  outer: AbortSignal,
): Promise<Attempt<Result>> {
  const { named, wire, options, read } = params;
  const { method } = wire.request;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? context.timeoutMs);
  const signal = AbortSignal.any([outer, timeout]);
  const startedAt = performance.now();
  context.hooks.onRequest?.({ operation: named.name, method });
  const response = await context.transport({
    method,
    url: wire.request.url,
    headers: { ...wire.headers, authorization: `Bearer ${context.apiKey}` },
    ...(wire.body ? { body: wire.body() } : {}),
    signal,
  });
  const { status, headers } = response;
  const requestId = requestIdOf(headers);
  const seen = {
    operation: named.name,
    method,
    status,
    durationMs: performance.now() - startedAt,
    ...(requestId ? { requestId } : {}),
  };
  context.log('debug', 'answered', seen);
  context.hooks.onResponse?.(seen);
  options.onResponse?.({ status, headers, ...(requestId ? { requestId } : {}) });
  if ((status >= 200 && status < 300) || (params.redirects && status >= 300 && status < 400)) {
    return { done: true, result: await read(response) };
  }
  const answer = await readAnswer(response, ERROR_BODY_LIMIT).catch(() => ({
    status,
    headers,
    text: '',
    complete: false,
  }));
  const error: ApiError = failureOf(answer, named, { secrets: [context.apiKey], now: Date.now() });
  if (isOutcomeUnknown(status, named.operation.effect, method)) {
    return { done: false, error: unknownOutcome(named, status), again: false };
  }
  return {
    done: false,
    error,
    again: isStatusRetried(status, method),
    ...(error.retryAfterMs === undefined ? {} : { waitMs: error.retryAfterMs }),
  };
}

const EMPTY: TransportResponse = { status: 204, headers: {}, body: Readable.from([]) };

const ERROR_BODY_LIMIT = 64 * 1024;

/** Reads a body as text, at most `limit` bytes of it. */
export async function readAnswer(response: TransportResponse, limit: number): Promise<Answer> {
  const { bytes, complete } = await readBytes(response.body, limit);
  return {
    status: response.status,
    headers: response.headers,
    text: new TextDecoder().decode(bytes),
    complete,
  };
}

function unknownOutcome(named: NamedOperation, status?: number): UnknownOutcomeError {
  const how = status === undefined ? 'the connection broke before an answer' : `a gateway answered ${status}`;
  return new UnknownOutcomeError(
    `${named.name}: ${how}, so it is unknown whether the call took effect; it was not repeated. List the ${named.group} and look before you try again.`,
    named.name,
  );
}

/** What ended a wait: the caller's own abort (passed on as is), the deadline, or a limit on waiting. */
function explainInterruption(
  error: unknown,
  context: { named: NamedOperation; options: RequestOptions; deadline: AbortSignal },
): unknown {
  const { named, options, deadline } = context;
  if (options.signal?.aborted) return options.signal.reason;
  if (error instanceof LimiterWaitError) {
    return new RateLimitError(
      `${named.name}: the limit of 120 requests a minute is used up; try again in ${Math.ceil(error.waitMs / 1000)} s.`,
      {
        status: 429,
        operation: named.name,
        scope: named.operation.scope,
        body: '',
        retryAfterMs: error.waitMs,
      },
    );
  }
  if (deadline.aborted)
    return new TimeoutError(`${named.name}: no answer before the deadline; nothing more was sent.`);
  return error;
}
