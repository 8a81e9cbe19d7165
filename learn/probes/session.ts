import { DocshareError, NetworkError, RateLimitError, TimeoutError } from '../../src/errors.ts';
import { parseJsonExact } from '../../src/exact-json.ts';
import type { Client, OperationName } from '../../src/index.ts';
import type { RejectionKind } from '../../src/profile/service-profile.ts';
import type { RequestOptions } from '../../src/request/client-context.ts';
import type { RawRequest } from '../../src/request/raw-request.ts';
import type { Topic } from '../questions/question.ts';
import type { Exchange, KeyUse, Recorder } from './recorder.ts';

/** One call to the service, and what it is for. */
export interface ProbeRequest extends RawRequest {
  /** As the API document writes it: `/documents/{id}`. */
  readonly route: string;
  readonly operation?: OperationName;
  readonly topic: Topic;
  readonly key?: KeyUse;
  /** What the answer tells, where it is not what the operation usually answers: a kind of refusal, or a page. */
  readonly expected?: RejectionKind | 'page';
  /** Never sent again, not even where the limit refused it. */
  readonly noRetry?: true;
  /** It takes away what the learner made: that goes on after a stop. */
  readonly isCleanup?: true;
}

/** What came of it, in memory only. */
export interface RecordedResponse extends Exchange {
  /** Counted from 1; the report names answers by it. */
  readonly number: number;
  readonly request: ProbeRequest;
  /** Parsed, where it is JSON. */
  readonly json?: unknown;
  readonly ok: boolean;
}

/** Why the learning ended before its end; what was learned so far counts. */
export class LearningStoppedError extends DocshareError {}

export interface Session {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly responses: readonly RecordedResponse[];
  readonly signal: AbortSignal;
  /** Undefined where no answer came: the next question may have more luck. */
  sendRequest(request: ProbeRequest): Promise<RecordedResponse | undefined>;
  /** The same of a call that is made in another way; a call that changes something is never cut by a stop. */
  recordCall(
    request: ProbeRequest,
    call: (options: RequestOptions) => Promise<unknown>,
  ): Promise<RecordedResponse | undefined>;
  /** Told to who watches, in words without values. */
  onProgress(text: string): void;
}

/** After so many calls in a row without an answer nobody is there. */
const MAX_CALLS_WITHOUT_RESPONSE = 3;
/** So often a call that the limit refused is sent again. */
const MAX_RETRIES = 3;
/** Nobody waits longer for the service to be asked again. */
const MAX_WAIT_MS = 90_000;

export function createSession(dependencies: {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}): Session {
  const { client, recorder, signal, onProgress } = dependencies;
  const responses: RecordedResponse[] = [];
  let callsWithoutResponse = 0;

  function sendRequest(request: ProbeRequest): Promise<RecordedResponse | undefined> {
    const { method, path, query, body } = request;
    const rawRequest = { method, path, ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) };
    return recordCall(request, (options) => client.request(rawRequest, options));
  }

  async function recordCall(
    request: ProbeRequest,
    call: (options: RequestOptions) => Promise<unknown>,
  ): Promise<RecordedResponse | undefined> {
    const isRead = request.method === 'GET';
    // What removes goes on after a stop.
    if (!request.isCleanup) signal.throwIfAborted();
    recorder.takeExchanges();
    const options = {
      ...(isRead ? { signal, retries: 1 } : { retries: request.isCleanup ? 2 : 0 }),
      maxWaitMs: MAX_WAIT_MS,
    };
    const send = async () => {
      recorder.key = request.key ?? 'own';
      const failure: unknown = await call(options).then(
        () => undefined,
        (error: unknown) => error,
      );
      recorder.key = 'own';
      return failure;
    };
    let failure = await send();
    // A service that lets small bursts through is asked again when it may be.
    for (
      let attempt = request.noRetry ? MAX_RETRIES : 0;
      attempt < MAX_RETRIES && canRetry(failure);
      attempt += 1
    )
      failure = await send();
    if (isRead) signal.throwIfAborted();
    const exchanges = recorder.takeExchanges();
    // A refusal because of the limit says nothing about the question.
    const exchange = exchanges.findLast(({ status }) => status !== 429);
    for (const one of exchanges) if (one !== exchange) addResponse(one, { ...request, expected: 'limited' });
    // The client tells of a transport that throws as of a connection that broke.
    if (recorder.budgetError && !exchange) throw recorder.budgetError;
    if (!exchange) {
      if (failure instanceof RateLimitError)
        throw new LearningStoppedError(
          'The service goes on refusing calls because of its limit: learn again later.',
        );
      callsWithoutResponse += 1;
      onProgress(`  ${request.method} ${request.route}: ${describeFailure(failure)}`);
      if (callsWithoutResponse >= MAX_CALLS_WITHOUT_RESPONSE)
        throw new LearningStoppedError(`${MAX_CALLS_WITHOUT_RESPONSE} calls in a row got no answer.`);
      return undefined;
    }
    callsWithoutResponse = 0;
    return addResponse(exchange, request);
  }

  function addResponse(exchange: Exchange, request: ProbeRequest): RecordedResponse {
    const json = truncateFields(parseBody(exchange));
    const ok = exchange.status >= 200 && exchange.status < 300;
    const response = {
      ...exchange,
      number: responses.length + 1,
      request,
      ok,
      ...(json === undefined ? {} : { json }),
    };
    responses.push(response);
    return response;
  }

  return { client, recorder, responses, signal, sendRequest, recordCall, onProgress };
}

/** §7: refused because of the limit, so that nothing has run. */
function canRetry(failure: unknown): boolean {
  return failure instanceof RateLimitError && (failure.retryAfterMs ?? 0) <= MAX_WAIT_MS;
}

/** An object of more fields is a mistake or an attack, and would be searched for each name. */
const MAX_FIELDS = 500;

function truncateFields(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 4) return value;
  if (Array.isArray(value)) return value.map((entry) => truncateFields(entry, depth + 1));
  const names = Object.keys(value).slice(0, MAX_FIELDS);
  return Object.fromEntries(
    names.map((name) => [name, truncateFields((value as Record<string, unknown>)[name], depth + 1)]),
  );
}

function parseBody({ text, isComplete }: Exchange): unknown {
  if (!isComplete || text.trim() === '') return undefined;
  try {
    return parseJsonExact(text);
  } catch {
    return undefined;
  }
}

function describeFailure(failure: unknown): string {
  if (failure instanceof TimeoutError) return 'no answer in time';
  if (failure instanceof NetworkError) return `no answer (${failure.code ?? 'the connection broke'})`;
  return 'no answer that can be read';
}
