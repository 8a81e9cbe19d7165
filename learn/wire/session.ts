import type { RequestOptions } from '../../src/call/context.ts';
import type { RawRequest } from '../../src/call/raw-request.ts';
import { DocshareError, NetworkError, RateLimitError, TimeoutError } from '../../src/errors.ts';
import { parseJsonExact } from '../../src/exact-json.ts';
import type { Client, OperationName } from '../../src/index.ts';
import type { RejectionKind } from '../../src/profile/format.ts';
import type { Topic } from '../questions/question.ts';
import type { Exchange, KeyUse, Recorder } from './recorder.ts';

/** One call to the service, and what it is for. */
export interface Asked extends RawRequest {
  /** As the API document writes it: `/documents/{id}`. */
  readonly route: string;
  readonly operation?: OperationName;
  readonly topic: Topic;
  readonly key?: KeyUse;
  /** What the answer tells, where it is not what the operation usually answers: a kind of refusal, or a page. */
  readonly as?: RejectionKind | 'page';
  /** Never sent again, not even where the limit refused it. */
  readonly once?: true;
  /** It takes away what the learner made: that goes on after a stop. */
  readonly removes?: true;
}

/** What came of it, in memory only. */
export interface Answer extends Exchange {
  /** Counted from 1; the report names answers by it. */
  readonly n: number;
  readonly asked: Asked;
  /** Parsed, where it is JSON. */
  readonly json?: unknown;
  readonly ok: boolean;
}

/** Why the learning ended before its end; what was learned so far counts. */
export class LearningEnded extends DocshareError {}

export interface Session {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly answers: readonly Answer[];
  readonly signal: AbortSignal;
  /** Undefined where no answer came: the next question may have more luck. */
  ask(asked: Asked): Promise<Answer | undefined>;
  /** The same of a call that is made in another way; a call that changes something is never cut by a stop. */
  watch(asked: Asked, call: (options: RequestOptions) => Promise<unknown>): Promise<Answer | undefined>;
  /** Told to who watches, in words without values. */
  say(text: string): void;
}

/** After so many calls in a row without an answer nobody is there. */
const MAX_CALLS_WITHOUT_RESPONSE = 3;
/** So often a call that the limit refused is sent again. */
const MAX_RETRIES = 3;
/** Nobody waits longer for the service to be asked again. */
const MAX_WAIT_MS = 90_000;

export function createSession(parts: {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}): Session {
  const { client, recorder, signal, say } = parts;
  const answers: Answer[] = [];
  let silent = 0;

  function ask(asked: Asked): Promise<Answer | undefined> {
    const { method, path, query, body } = asked;
    const raw = { method, path, ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) };
    return watch(asked, (options) => client.request(raw, options));
  }

  async function watch(
    asked: Asked,
    call: (options: RequestOptions) => Promise<unknown>,
  ): Promise<Answer | undefined> {
    const isRead = asked.method === 'GET';
    // What removes goes on after a stop.
    if (!asked.removes) signal.throwIfAborted();
    recorder.take();
    const options = {
      ...(isRead ? { signal, retries: 1 } : { retries: asked.removes ? 2 : 0 }),
      maxWaitMs: MAX_WAIT_MS,
    };
    const send = async () => {
      recorder.key = asked.key ?? 'own';
      const failure: unknown = await call(options).then(
        () => undefined,
        (error: unknown) => error,
      );
      recorder.key = 'own';
      return failure;
    };
    let failure = await send();
    // A service that lets small bursts through is asked again when it may be.
    for (let again = asked.once ? MAX_RETRIES : 0; again < MAX_RETRIES && mayAskAgain(failure); again += 1)
      failure = await send();
    if (isRead) signal.throwIfAborted();
    const exchanges = recorder.take();
    // A refusal because of the limit says nothing about the question.
    const exchange = exchanges.findLast(({ status }) => status !== 429);
    for (const one of exchanges) if (one !== exchange) keep(one, { ...asked, as: 'limited' });
    // The client tells of a transport that throws as of a connection that broke.
    if (recorder.spent && !exchange) throw recorder.spent;
    if (!exchange) {
      if (failure instanceof RateLimitError)
        throw new LearningEnded(
          'The service goes on refusing calls because of its limit: learn again later.',
        );
      silent += 1;
      say(`  ${asked.method} ${asked.route}: ${describeFailure(failure)}`);
      if (silent >= MAX_CALLS_WITHOUT_RESPONSE)
        throw new LearningEnded(`${MAX_CALLS_WITHOUT_RESPONSE} calls in a row got no answer.`);
      return undefined;
    }
    silent = 0;
    return keep(exchange, asked);
  }

  function keep(exchange: Exchange, asked: Asked): Answer {
    const json = bounded(parse(exchange));
    const ok = exchange.status >= 200 && exchange.status < 300;
    const answer = { ...exchange, n: answers.length + 1, asked, ok, ...(json === undefined ? {} : { json }) };
    answers.push(answer);
    return answer;
  }

  return { client, recorder, answers, signal, ask, watch, say };
}

/** §7: refused because of the limit, so that nothing has run. */
function mayAskAgain(failure: unknown): boolean {
  return failure instanceof RateLimitError && (failure.retryAfterMs ?? 0) <= MAX_WAIT_MS;
}

/** An object of more fields is a mistake or an attack, and would be searched for each name. */
const MAX_FIELDS = 500;

function bounded(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 4) return value;
  if (Array.isArray(value)) return value.map((entry) => bounded(entry, depth + 1));
  const names = Object.keys(value).slice(0, MAX_FIELDS);
  return Object.fromEntries(
    names.map((name) => [name, bounded((value as Record<string, unknown>)[name], depth + 1)]),
  );
}

function parse({ text, whole }: Exchange): unknown {
  if (!whole || text.trim() === '') return undefined;
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
