import { DocshareError } from '../errors.ts';
import { startWatch, type Watch } from '../timer.ts';
import { discard, type TransportRequest, type TransportResponse } from '../wire/transport.ts';
import { closedFault } from './closed.ts';
import type { ExchangeContext } from './context.ts';
import { observeRequest } from './observe.ts';
import { readText } from './read-text.ts';
import type { Outcome, Rules, Tried, Turn, Wire } from './rules.ts';

const REFUSAL_LIMIT_BYTES = 64 * 1024;

/** What never reached the transport. */
const UNSENT = Object.assign(new Error('The request was not sent'), { unsent: true });

/** An attempt about to be made. */
interface Attempt<Result> {
  readonly rules: Rules<Result>;
  readonly wire: Wire;
  readonly turn: Turn;
}

/**
 * One attempt, ended by its own clock, with the exchange or with the client. Whatever comes of it, its connection is given back. Throws
 * only what the rules throw: what no further attempt can change.
 */
export function attemptOnce<Result>(
  context: ExchangeContext,
  attempt: Attempt<Result>,
): Promise<Outcome<Result>> {
  const observer = context.told && observeRequest(context.told, attempt);
  const outcome = run(context, attempt, observer?.onHead);
  return observer ? observer.until(outcome) : outcome;
}

async function run<Result>(
  context: ExchangeContext,
  { rules, wire, turn }: Attempt<Result>,
  onHead: ((response: TransportResponse) => void) | undefined,
): Promise<Outcome<Result>> {
  const { lifetime } = turn;
  const remainingMs = lifetime.remainingMs();
  const { closing } = context;
  const watch = startWatch(Math.min(rules.timeoutMs, remainingMs), lifetime.caller, wire.signal, closing);
  const { signal } = watch;
  const isClosed = () => closing?.aborted === true && signal.reason === closing.reason;
  const tried: Tried = {
    wire,
    turn,
    startedAt: performance.now(),
    endedEarly: () => signal.aborted && !isClosed(),
    over: () => lifetime.abortedByCaller() || (signal.aborted && remainingMs <= rules.timeoutMs),
  };
  try {
    let sent: Promise<TransportResponse> | undefined;
    let response: TransportResponse;
    try {
      if (isClosed()) return rules.onFault(closedFault(UNSENT), tried);
      sent = context.transport(toRequest(rules, wire, signal));
      response = await watch.race(sent);
    } catch (fault) {
      // An answer that comes too late is let go.
      sent?.then(discard).catch(() => undefined);
      const word = sent && signal.aborted ? await lastWord(sent, fault) : fault;
      return rules.onFault(isClosed() ? closedFault(word) : word, tried);
    }
    onHead?.(response);
    rules.onHead?.(response);
    if (rules.answerMs !== undefined) watch.restart(rules.answerMs);
    const { status, headers } = response;
    if (rules.accepts ? rules.accepts(status) : status >= 200 && status < 300) {
      try {
        return { kind: 'done', result: await watch.race(rules.read(response, watch.hold)) };
      } catch (fault) {
        if (fault instanceof DocshareError && !signal.aborted) throw fault;
        return rules.onCut(isClosed() ? closedFault(fault) : fault, response, tried);
      }
    }
    if (status >= 300 && status < 400) {
      const followed = await follow(response, { rules, tried, watch });
      if (followed) return followed;
    }
    const unread = { status, headers, text: '', complete: false };
    const answer = await watch.race(readText(response, REFUSAL_LIMIT_BYTES)).catch(() => unread);
    return rules.onRefusal(answer, tried);
  } finally {
    watch.release();
    rules.onEnd?.();
  }
}

/** What the transport itself says to the abort: it may know that nothing went out. */
async function lastWord(sent: Promise<unknown>, fault: unknown): Promise<unknown> {
  let word = fault;
  sent.catch((error: unknown) => {
    word = error;
  });
  // After all promises that are already settled.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  return word;
}

function toRequest<Result>(rules: Rules<Result>, wire: Wire, signal: AbortSignal): TransportRequest {
  const { method, url, body } = wire;
  const headers = rules.headers ? rules.headers(wire.headers) : wire.headers;
  return body ? { method, url, headers, body: body(), signal } : { method, url, headers, signal };
}

async function follow<Result>(
  response: TransportResponse,
  { rules, tried, watch }: { rules: Rules<Result>; tried: Tried; watch: Watch },
): Promise<Outcome<Result> | undefined> {
  let leave = true;
  try {
    const followed = rules.follow(response, tried);
    leave = followed !== undefined;
    return followed;
  } finally {
    if (leave) await watch.race(discard(response)).catch(() => undefined);
  }
}
