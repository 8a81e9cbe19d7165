import { DocshareError } from '../errors.ts';
import { type AttemptGuard, createAttemptGuard } from '../timer.ts';
import { createUnsentError, drainBody, type TransportRequest, type TransportResponse } from '../transport/transport.ts';
import { getRemainingMs, isAbortedByCaller } from './cancellation.ts';
import { toClientClosedError } from './client-closed.ts';
import type { ExchangeContext } from './client-context.ts';
import { createRequestObserver } from './observer.ts';
import { readResponseText } from './read-response-text.ts';
import type {
  AttemptHandlers,
  AttemptInfo,
  AttemptOutcome,
  AttemptState,
  PreparedRequest,
  RequestPolicy,
} from './request-policy.ts';

const MAX_ERROR_BODY_BYTES = 64 * 1024;

interface Attempt<Result> {
  readonly policy: RequestPolicy<Result>;
  readonly handlers: AttemptHandlers<Result>;
  readonly request: PreparedRequest;
  readonly state: AttemptState;
}

/** Runs one attempt and releases its connection. Throws only errors that a retry can't change. */
export function runAttempt<Result>(
  context: ExchangeContext,
  attempt: Attempt<Result>,
): Promise<AttemptOutcome<Result>> {
  const requestObserver = context.observer && createRequestObserver(context.observer, attempt);
  const outcome = sendAndRead(context, attempt, requestObserver?.onResponseHead);
  return requestObserver ? requestObserver.trackOutcome(outcome) : outcome;
}

async function sendAndRead<Result>(
  context: ExchangeContext,
  { policy, handlers, request, state }: Attempt<Result>,
  onResponseHead: ((response: TransportResponse) => void) | undefined,
): Promise<AttemptOutcome<Result>> {
  const { cancellation } = state;
  const remainingMs = getRemainingMs(cancellation);
  const { closing } = context;
  const guard = createAttemptGuard(
    Math.min(policy.timeoutMs, remainingMs),
    cancellation.callerSignal,
    request.signal,
    closing,
  );
  const { signal } = guard;
  const isClientClosed = () => closing?.aborted === true && signal.reason === closing.reason;
  const attemptInfo: AttemptInfo = {
    request,
    state,
    startedAt: performance.now(),
    isEndedEarly: () => signal.aborted && !isClientClosed(),
    isFinal: () => isAbortedByCaller(cancellation) || (signal.aborted && remainingMs <= policy.timeoutMs),
  };
  try {
    let responsePromise: Promise<TransportResponse> | undefined;
    let response: TransportResponse;
    try {
      if (isClientClosed()) return handlers.onFault(toClientClosedError(createUnsentError()), attemptInfo);
      responsePromise = context.transport(toTransportRequest(handlers, request, signal));
      response = await guard.race(responsePromise);
    } catch (fault) {
      // A late response is discarded.
      responsePromise?.then(drainBody).catch(() => undefined);
      const finalError = responsePromise && signal.aborted ? await getAbortError(responsePromise, fault) : fault;
      return handlers.onFault(isClientClosed() ? toClientClosedError(finalError) : finalError, attemptInfo);
    }
    onResponseHead?.(response);
    handlers.onResponseHead?.(response);
    if (policy.responseTimeoutMs !== undefined) guard.restart(policy.responseTimeoutMs);
    const { status, headers } = response;
    if (handlers.accepts ? handlers.accepts(status) : status >= 200 && status < 300) {
      try {
        return { kind: 'succeeded', result: await guard.race(handlers.read(response, guard.detach)) };
      } catch (fault) {
        if (fault instanceof DocshareError && !signal.aborted) throw fault;
        return handlers.onTruncated(isClientClosed() ? toClientClosedError(fault) : fault, response, attemptInfo);
      }
    }
    if (status >= 300 && status < 400) {
      const redirectOutcome = await followRedirect(response, { handlers, attemptInfo, guard });
      if (redirectOutcome) return redirectOutcome;
    }
    const unreadResponse = { status, headers, text: '', complete: false };
    const textResponse = await guard.race(readResponseText(response, MAX_ERROR_BODY_BYTES)).catch(() => unreadResponse);
    return handlers.onRejection(textResponse, attemptInfo);
  } finally {
    guard.release();
    handlers.onEnd?.();
  }
}

/** Returns the transport's own error on an abort: it may know that nothing was sent. */
async function getAbortError(responsePromise: Promise<unknown>, fault: unknown): Promise<unknown> {
  let finalError = fault;
  responsePromise.catch((error: unknown) => {
    finalError = error;
  });
  // After all settled promises.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  return finalError;
}

function toTransportRequest<Result>(
  handlers: AttemptHandlers<Result>,
  request: PreparedRequest,
  signal: AbortSignal,
): TransportRequest {
  const { method, url, body } = request;
  const headers = handlers.headers ? handlers.headers(request.headers) : request.headers;
  return body ? { method, url, headers, body: body(), signal } : { method, url, headers, signal };
}

async function followRedirect<Result>(
  response: TransportResponse,
  {
    handlers,
    attemptInfo,
    guard,
  }: { handlers: AttemptHandlers<Result>; attemptInfo: AttemptInfo; guard: AttemptGuard },
): Promise<AttemptOutcome<Result> | undefined> {
  let discardsBody = true;
  try {
    const redirectOutcome = handlers.follow(response, attemptInfo);
    discardsBody = redirectOutcome !== undefined;
    return redirectOutcome;
  } finally {
    if (discardsBody) await guard.race(drainBody(response)).catch(() => undefined);
  }
}
