import { requestIdOf, type TextAnswer } from '../answer/response.ts';
import { DocshareError } from '../errors.ts';
import { after, untilAborted } from '../timer.ts';
import { discard, readBytes, type TransportResponse } from '../wire/transport.ts';
import type { ClientContext } from './context.ts';
import { type AttemptOutcome, explainCut, explainFault, explainRedirect, explainStatus } from './failure.ts';
import { nextHop } from './redirect.ts';
import type { CallParams, Turn, Wire } from './wire.ts';

const ERROR_BODY_LIMIT = 64 * 1024;

const decoder = new TextDecoder();

/** One attempt, ended by its own timeout or with the call. Throws only what the caller's own code threw. */
export async function attemptOnce<Result>(
  context: ClientContext,
  params: CallParams<Result>,
  turn: Turn,
): Promise<AttemptOutcome<Result>> {
  const { named, wire, options } = params;
  const { signal } = turn.lifetime;
  const control = new AbortController();
  const end = () => control.abort(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  const callOff = after(options.timeoutMs ?? context.timeoutMs, () => control.abort());
  const startedAt = Date.now();
  const began = performance.now();
  const state = { context, params, turn, startedAt, late: () => control.signal.aborted };
  try {
    context.hooks.onRequest?.({ operation: named.name, method: wire.request.method });
    const sent = send(context, wire, control.signal);
    let response: TransportResponse;
    try {
      response = await untilAborted(sent, control.signal);
    } catch (fault) {
      // An answer that comes too late is let go.
      sent.then(discard).catch(() => undefined);
      return explainFault(state, fault);
    }
    tellAnswer(context, params, { response, durationMs: performance.now() - began });
    const { status, headers } = response;
    const redirected = status >= 300 && status < 400;
    if ((status >= 200 && status < 300) || (params.redirects && redirected)) {
      try {
        const result = await untilAborted(params.read(response), control.signal);
        return { kind: 'done', result };
      } catch (fault) {
        if (fault instanceof DocshareError) throw fault;
        return explainCut(state, response, fault);
      }
    }
    if (redirected) {
      const hop = nextHop(wire, { status, location: headers['location'], hops: turn.hops });
      await discard(response);
      return typeof hop === 'string' ? explainRedirect(state, status, hop) : { kind: 'moved', wire: hop };
    }
    const unread: TextAnswer = { status, headers, text: '', complete: false };
    const answer = await untilAborted(readText(response, ERROR_BODY_LIMIT), control.signal).catch(
      () => unread,
    );
    return explainStatus(state, answer);
  } finally {
    callOff();
    signal.removeEventListener('abort', end);
  }
}

async function send(context: ClientContext, wire: Wire, signal: AbortSignal): Promise<TransportResponse> {
  return context.transport({
    method: wire.request.method,
    url: wire.request.url,
    headers: { ...wire.headers, authorization: `Bearer ${context.revealKey()}` },
    ...(wire.body ? { body: wire.body() } : {}),
    signal,
  });
}

function tellAnswer<Result>(
  context: ClientContext,
  { named, wire, options }: CallParams<Result>,
  { response, durationMs }: { response: TransportResponse; durationMs: number },
): void {
  const { status, headers } = response;
  const requestId = requestIdOf(headers, [context.revealKey()]);
  const told = requestId === undefined ? {} : { requestId };
  const seen = { operation: named.name, method: wire.request.method, status, durationMs, ...told };
  context.log('debug', 'answered', seen);
  context.hooks.onResponse?.(seen);
  options.onResponse?.({ status, headers, ...told });
}

/** Reads a body as text, at most `limit` bytes of it. */
export async function readText(response: TransportResponse, limit: number): Promise<TextAnswer> {
  const { bytes, complete } = await readBytes(response.body, limit);
  const { status, headers } = response;
  return { status, headers, text: decoder.decode(bytes), complete };
}
