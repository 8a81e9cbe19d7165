import { Readable } from 'node:stream';
import { DocshareError } from '../../src/errors.ts';
import { readBodyBytes, type Transport, type TransportRequest } from '../../src/transport/transport.ts';
import { formatCount } from './format-count.ts';

/** The calls that were allowed are used up. */
export class BudgetExceededError extends DocshareError {}

/** One request and its answer as they were on the wire, in memory only: nothing of it is written as it is. */
export interface Exchange {
  readonly url: URL;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** False where the body was longer than is read. */
  readonly isComplete: boolean;
  readonly at: number;
}

/** With which key a request travels. */
export type KeyUse = 'own' | 'wrong' | 'none';

export interface Recorder {
  readonly transport: Transport;
  readonly calls: number;
  readonly remainingCalls: number;
  /** While calls are refused because the budget is used up. */
  readonly budgetError: BudgetExceededError | undefined;
  /** Of the next requests. */
  key: KeyUse;
  /** Calls that nothing but removing may use. */
  reservedCalls: number;
  /** While what was made is removed, which no budget may keep from ending. */
  ignoreBudget: boolean;
  /** What came since it was last asked. */
  takeExchanges(): readonly Exchange[];
}

/** So much of an answer is read: a list of a hundred entries is a tenth of it. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** So much of a file: its form, not what it holds. */
const MAX_FILE_BYTES = 1024;

const WRONG_KEY = 'docshare-learn-wrong-key';

/**
 * A transport that keeps what came, counts, and refuses what the budget does not allow. Redirects are kept and shown to
 * the client as done: an address in an answer is never followed.
 */
export function createRecorder({ transport, budget }: { transport: Transport; budget: number }): Recorder {
  let exchanges: Exchange[] = [];
  let calls = 0;
  let lastBudgetError: BudgetExceededError | undefined;
  const recorder = {
    key: 'own' as KeyUse,
    reservedCalls: 0,
    ignoreBudget: false,
    get calls() {
      return calls;
    },
    get remainingCalls() {
      return Math.max(0, budget - calls - recorder.reservedCalls);
    },
    get budgetError() {
      return lastBudgetError;
    },
    takeExchanges() {
      const result = exchanges;
      exchanges = [];
      return result;
    },
    async transport(request: TransportRequest) {
      if (recorder.remainingCalls === 0 && !recorder.ignoreBudget) {
        lastBudgetError = new BudgetExceededError(`The budget of ${formatCount(budget, 'call')} is used up.`);
        throw lastBudgetError;
      }
      lastBudgetError = undefined;
      calls += 1;
      const { status, headers, body } = await transport({
        ...request,
        headers: applyKey(request, recorder.key),
      });
      const isText = /json|text|xml|^$/.test(headers['content-type'] ?? '');
      const { bytes, complete } = await readBodyBytes(body, isText ? MAX_BODY_BYTES : MAX_FILE_BYTES);
      const text = isText ? new TextDecoder().decode(bytes) : '';
      exchanges.push({
        url: new URL(request.url),
        status,
        headers,
        text,
        isComplete: complete,
        at: Date.now(),
      });
      const isRedirect = status >= 300 && status < 400;
      return isRedirect
        ? { status: 204, headers: {}, body: Readable.from([]) }
        : {
            status,
            headers: removeEncodingHeaders(headers),
            body: Readable.from(bytes.byteLength > 0 ? [bytes] : []),
          };
    },
  };
  return recorder;
}

function applyKey({ headers }: TransportRequest, key: KeyUse): Record<string, string> {
  const { authorization, ...rest } = headers;
  if (authorization === undefined || key === 'none') return rest;
  return { ...rest, authorization: key === 'wrong' ? `Bearer ${WRONG_KEY}` : authorization };
}

/** The body was decoded and may have been cut. */
function removeEncodingHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'content-encoding': _, 'content-length': __, ...rest } = headers;
  return rest;
}
