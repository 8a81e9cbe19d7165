import { DocshareError, NetworkError, RateLimitError, TimeoutError } from '../../src/errors.ts';
import { parseJsonExact } from '../../src/exact-json.ts';
import type { Client, OperationName } from '../../src/index.ts';
import type { RejectionKind } from '../../src/profile/service-profile.ts';
import type { RequestOptions } from '../../src/request/client-context.ts';
import type { RawRequest } from '../../src/request/raw-request.ts';
import type { Topic } from '../questions/question.ts';
import type { Exchange, KeyUse, Recorder } from './recorder.ts';

/** A call to the service and its purpose. */
interface ProbeRequest extends RawRequest {
  /** Route as in the API document, such as `/documents/{id}` (default: `path`). */
  readonly route?: string;
  readonly operation?: OperationName;
  readonly topic: Topic;
  readonly key?: KeyUse;
  /** Meaning of the response if it is not the usual one of the operation: an error, or a page. */
  readonly expected?: RejectionKind | 'page';
  /** Removes a created object, so it is sent even after a stop. */
  readonly isCleanup?: true;
}

/** A response and its request. Kept in memory only. */
export interface RecordedResponse extends Exchange {
  /** Number in the report, from 1. */
  readonly number: number;
  readonly request: ProbeRequest & { readonly route: string };
  /** Parsed body, if it is JSON. */
  readonly json?: unknown;
  readonly ok: boolean;
}

/** Ends the run early; what was learned so far is kept. */
class LearningStoppedError extends DocshareError {}

export type Session = ReturnType<typeof createSession>;

const MAX_CALLS_WITHOUT_RESPONSE = 3;
/** Maximum retries of a call after a 429. */
const MAX_RETRIES = 3;
const MAX_WAIT_MS = 90_000;

export function createSession(dependencies: {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}) {
  const { client, recorder, signal, onProgress } = dependencies;
  const responses: RecordedResponse[] = [];
  let callsWithoutResponse = 0;

  /** Returns undefined if there was no response. */
  function sendRequest(request: ProbeRequest): Promise<RecordedResponse | undefined> {
    const { method, path, query, body } = request;
    const rawRequest = { method, path, ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) };
    return recordCall(request, (options) => client.request(rawRequest, options));
  }

  /** Records a call that is sent in another way. A stop never aborts a write. */
  async function recordCall(
    request: ProbeRequest,
    call: (options: RequestOptions) => Promise<unknown>,
  ): Promise<RecordedResponse | undefined> {
    const isRead = request.method === 'GET';
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
    for (let retry = 0; retry < MAX_RETRIES && canRetry(failure); retry += 1) failure = await send();
    if (isRead) signal.throwIfAborted();
    const exchanges = recorder.takeExchanges();
    // A 429 does not answer the probe.
    const exchange = exchanges.findLast(({ status }) => status !== 429);
    for (const one of exchanges) if (one !== exchange) addResponse(one, { ...request, expected: 'limited' });
    // The client reports this error of the recorder as a broken connection.
    if (recorder.budgetError && !exchange) throw recorder.budgetError;
    if (!exchange) {
      if (failure instanceof RateLimitError)
        throw new LearningStoppedError('The rate limit of the service stays exceeded. Try again later.');
      callsWithoutResponse += 1;
      onProgress(`  ${request.method} ${request.route ?? request.path}: ${describeFailure(failure)}`);
      if (callsWithoutResponse >= MAX_CALLS_WITHOUT_RESPONSE)
        throw new LearningStoppedError(
          `${MAX_CALLS_WITHOUT_RESPONSE} calls in a row had no response. ${failure instanceof NetworkError ? failure.message : ''}`.trim(),
        );
      return undefined;
    }
    callsWithoutResponse = 0;
    return addResponse(exchange, request);
  }

  function addResponse(exchange: Exchange, request: ProbeRequest): RecordedResponse {
    const json = truncateFields(parseBody(exchange));
    const ok = exchange.status >= 200 && exchange.status < 300;
    const number = responses.length + 1;
    const withRoute = { route: request.path, ...request };
    const response = { ...exchange, number, request: withRoute, ok, ...(json === undefined ? {} : { json }) };
    responses.push(response);
    return response;
  }

  return { client, recorder, responses, signal, sendRequest, recordCall, onProgress };
}

/** §7: a rate-limited call had no effect, so it is safe to retry. */
function canRetry(failure: unknown): boolean {
  return failure instanceof RateLimitError && (failure.retryAfterMs ?? 0) <= MAX_WAIT_MS;
}

/** Bounds the work on malformed or malicious responses. */
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
  if (failure instanceof TimeoutError) return 'timed out';
  if (failure instanceof NetworkError) return `no response (${failure.code ?? 'connection lost'})`;
  return 'unreadable response';
}
